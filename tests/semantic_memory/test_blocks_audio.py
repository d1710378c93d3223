"""Numbers of recordings: any common format, any length, the same at any loudness; damaged ones are rows of NaN."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from mlzero.semantic_memory.blocks.encode_audio import audio_vectors, read_audio

RATE = 8000


def tone(hertz: float, seconds: float = 0.5, loudness: float = 0.5, rate: int = RATE) -> np.ndarray:
    return loudness * np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate)


@pytest.mark.parametrize("ending", ["wav", "flac", "ogg", "mp3", "aiff"])
def test_a_tone_is_read_from_every_format(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    soundfile.write(path, np.stack([tone(440, rate=44_100)] * 2, axis=1), 44_100)
    samples = read_audio(path, 16_000, 60)
    assert len(samples) == pytest.approx(8000, abs=1500)  # packed formats add silence
    strongest = np.abs(np.fft.rfft(samples)).argmax() * 16_000 / len(samples)
    assert strongest == pytest.approx(440, abs=3)


def test_recording_of_a_phone(tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    path = tmp_path / "memo.m4a"
    with av.open(str(path), "w") as file:
        stream = file.add_stream("aac", rate=44_100, layout="mono")
        frame = av.AudioFrame.from_ndarray(tone(440, 1, rate=44_100).astype(np.float32)[None], "fltp", "mono")
        frame.rate = 44_100
        for packet in [*stream.encode(frame), *stream.encode()]:
            file.mux(packet)
    samples = read_audio(path, 16_000, 60)
    assert np.abs(np.fft.rfft(samples)).argmax() * 16_000 / len(samples) == pytest.approx(440, abs=3)


def test_loudness_and_order_do_not_matter(tmp_path: Path) -> None:
    for name, sound in {"low": tone(200), "high": tone(900), "quiet": tone(200, loudness=0.05)}.items():
        soundfile.write(tmp_path / f"{name}.wav", sound, RATE)
    low, high, quiet = audio_vectors([tmp_path / f"{name}.wav" for name in ("low", "high", "quiet")])
    assert np.linalg.norm(low - quiet) < 0.2 * np.linalg.norm(low - high)


@pytest.mark.parametrize("samples", [0, 1, 100, 5000, 70 * RATE], ids=["empty", "one", "short", "usual", "long"])
def test_recordings_of_any_length_have_vectors(tmp_path: Path, samples: int) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros(samples), RATE)
    assert np.isfinite(audio_vectors([tmp_path / "a.wav"])).all()


def test_a_damaged_recording_is_a_row_of_nan(tmp_path: Path) -> None:
    (tmp_path / "broken.wav").write_bytes(b"RIFF\0\0\0\0WAVE" + bytes(30))
    soundfile.write(tmp_path / "good.wav", tone(300), RATE)
    broken, good = audio_vectors([tmp_path / "broken.wav", tmp_path / "good.wav"])
    assert np.isnan(broken).all() and np.isfinite(good).all()
