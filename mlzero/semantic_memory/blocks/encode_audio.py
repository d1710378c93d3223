"""Numbers that describe a recording: timbre, pitch, rhythm, and how they go on over time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import gcd
from pathlib import Path

import numpy as np
from scipy.fft import dct
from scipy.signal import resample_poly


def audio_vectors(paths: Sequence[str | Path], rate: int = 16_000, seconds: float = 60.0) -> np.ndarray:
    """Recordings as rows of numbers, recordings × 325 floats, the same for the same sound at any loudness.

    Parameters
    ----------
    rate
        Samples a second that recordings are brought to.
    seconds
        Of a longer recording, so much from its middle is described.

    A recording that cannot be read becomes a row of NaN.
    """

    def vector(path: str | Path) -> np.ndarray:
        try:
            return audio_vector(read_audio(path, rate, seconds), rate)
        except Exception:  # every library has its own errors for a damaged file
            return np.empty(0, np.float32)

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        found = list(pool.map(vector, paths))
    vectors = np.full((len(found), len(audio_vector(np.zeros(rate, np.float32), rate))), np.nan, np.float32)
    for row, numbers in enumerate(found):
        if len(numbers):
            vectors[row] = numbers
    return vectors


def read_audio(path: str | Path, rate: int, seconds: float) -> np.ndarray:
    """The samples of a recording, channels averaged, `rate` a second; at most `seconds` from its middle.

    WAV, FLAC, OGG, MP3 and AIFF are read by soundfile; m4a, aac, wma and the sound of videos by PyAV.
    """
    import soundfile

    try:
        with soundfile.SoundFile(str(path)) as file:
            length, own_rate = int(seconds * file.samplerate), file.samplerate
            if file.frames > length and file.seekable():
                file.seek((file.frames - length) // 2)
            samples = file.read(length, dtype="float32", always_2d=True).mean(axis=1)
    except soundfile.LibsndfileError:
        samples, own_rate = packed_audio(path, seconds)
    if own_rate != rate and len(samples):
        shared = gcd(own_rate, rate)
        samples = resample_poly(samples, rate // shared, own_rate // shared)
    return np.nan_to_num(np.asarray(samples, dtype=np.float32))


def packed_audio(path: str | Path, seconds: float) -> tuple[np.ndarray, int]:
    """The first `seconds` of a recording in one of the formats of phones and videos, and its samples a second."""
    import av

    parts: list[np.ndarray] = []
    with av.open(str(path)) as file:
        stream = file.streams.audio[0]
        rate = int(stream.rate)
        to_floats = av.AudioResampler(format="fltp", layout="mono", rate=rate)
        for frame in file.decode(stream):
            parts += [part.to_ndarray()[0] for part in to_floats.resample(frame)]
            if sum(map(len, parts)) > seconds * rate:
                break
    return np.concatenate(parts) if parts else np.zeros(0, np.float32), rate


def audio_vector(samples: np.ndarray, rate: int) -> np.ndarray:
    """One recording, samples between -1 and 1, as numbers; silence and empty recordings have theirs too."""
    window, hop, bands = round(0.032 * rate), round(0.008 * rate), 40
    loudness = float(np.sqrt(np.mean(samples**2))) if len(samples) else 0.0
    length = len(samples) / rate
    samples = samples / (np.abs(samples).max(initial=0.0) + 1e-9)
    samples = np.pad(samples, (0, max(0, 9 * hop + window - len(samples))))
    frames = np.lib.stride_tricks.sliding_window_view(samples, window)[::hop] * np.hanning(window)
    power = np.abs(np.fft.rfft(frames, axis=1)) ** 2  # frames × frequencies
    frequencies = np.fft.rfftfreq(window, 1 / rate)
    mel = np.log(power @ mel_filters(frequencies, bands).T + 1e-5)  # frames × bands
    energy = mel.mean(axis=1)
    sounding = np.flatnonzero(energy > energy.max() - 7)
    part = mel[sounding[0] : sounding[-1] + 1] if len(sounding) > 4 else mel
    steps = np.linspace(0, len(part) - 1, 20)
    course = np.stack([np.interp(steps, np.arange(len(part)), band) for band in part.T])  # bands × 20 steps
    shape = dct(dct(course - course.mean(), axis=0, norm="ortho"), axis=1, norm="ortho")[:20, :8]
    cepstrum = dct(mel, axis=1, norm="ortho")[:, :20]
    change = np.diff(cepstrum, axis=0)
    summaries = [cepstrum.mean(0), cepstrum.std(0), cepstrum.min(0), cepstrum.max(0), change.mean(0), change.std(0)]
    sizes = [np.log1p(length), np.log1p(len(part) * hop / rate), np.log(loudness + 1e-6), energy.std()]
    return np.concatenate(
        [
            shape.ravel(),
            *summaries,
            sizes,
            tone_colour(power, frequencies),
            pitch_and_rhythm(samples, energy, rate, hop),
        ]
    ).astype(np.float32)


def mel_filters(frequencies: np.ndarray, bands: int) -> np.ndarray:
    """Overlapping triangles that are evenly spaced to the ear, bands × frequencies."""
    low, high = 2595 * np.log10(1 + 50 / 700), 2595 * np.log10(1 + frequencies[-1] / 700)
    edges = 700 * (10 ** (np.linspace(low, high, bands + 2) / 2595) - 1)
    rising = (frequencies - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - frequencies) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0.0, np.minimum(rising, falling))


def tone_colour(power: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """Where in the spectrum the sound lies, how noisy it is, and its peaks against its valleys; mean and spread of each."""
    total = power.sum(axis=1) + 1e-9
    centre = power @ frequencies / total
    width = np.sqrt(np.maximum(power @ frequencies**2 / total - centre**2, 0))
    below = np.cumsum(power, axis=1)
    rolloff = frequencies[(below < 0.85 * below[:, -1:]).sum(axis=1).clip(max=len(frequencies) - 1)]
    flatness = np.log(power + 1e-9).mean(axis=1) - np.log(total / power.shape[1])
    contrasts = []
    for low, high in ((0, 200), (200, 400), (400, 800), (800, 1600), (1600, 3200), (3200, 8000)):
        band = np.sort(np.log(power[:, (frequencies >= low) & (frequencies < high)] + 1e-9), axis=1)
        few = max(1, band.shape[1] // 5)
        contrasts.append(band[:, -few:].mean(axis=1) - band[:, :few].mean(axis=1))
    series = np.stack([centre / 1000, width / 1000, rolloff / 1000, flatness, *contrasts])
    return np.concatenate([series.mean(axis=1), series.std(axis=1)])


def pitch_and_rhythm(samples: np.ndarray, energy: np.ndarray, rate: int, hop: int) -> np.ndarray:
    """Fundamental frequency between 60 and 500 Hz where there is one, and how strongly the loudness pulses."""
    window = rate // 20
    frames = np.lib.stride_tricks.sliding_window_view(np.pad(samples, (0, window)), window)[:: 2 * hop]
    spectrum = np.fft.rfft(frames - frames.mean(axis=1, keepdims=True), 2 * window, axis=1)
    likeness = np.fft.irfft(np.abs(spectrum) ** 2, axis=1)  # with itself, a lag later
    lags = likeness[:, rate // 500 : rate // 60] / (likeness[:, :1] + 1e-9)
    best = lags.argmax(axis=1)
    voiced = (lags.max(axis=1) > 0.4) & (likeness[:, 0] > 0.02 * likeness[:, 0].max(initial=0.0))
    tones = np.log2(rate / (rate // 500 + best[voiced])) if voiced.any() else np.zeros(1)
    onsets = np.maximum(np.diff(energy), 0)
    onsets = onsets - onsets.mean()
    pulse = np.fft.irfft(np.abs(np.fft.rfft(onsets, 2 * len(onsets))) ** 2)
    spots = np.round(np.geomspace(0.15, 2.0, 12) * rate / hop).astype(int)
    rhythm = np.array([pulse[spot] if spot < len(onsets) else 0.0 for spot in spots]) / (pulse[0] + 1e-9)
    crossings = np.abs(np.diff(np.signbit(samples).astype(np.int8))).mean()
    numbers = [voiced.mean(), tones.mean(), tones.std(), *np.percentile(tones, [5, 50, 95]), lags.max(axis=1).mean()]
    return np.concatenate([numbers, rhythm, [crossings, onsets.std()]])
