// Sends chosen or dropped files to the server in frames; file contents never pass through this script's memory at once.
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_FILES = 400;
const PART_BYTES = 32 * 1024 * 1024;
const WORKERS = 3;
const TRIES = 4;
const encoder = new TextEncoder();

function frameHeader(path, bytes, offset) {
  const text = encoder.encode(JSON.stringify({ p: path, n: bytes, o: offset }));
  const header = new Uint8Array(4 + text.length);
  new DataView(header.buffer).setUint32(0, text.length);
  header.set(text, 4);
  return header;
}

// Batches of [parts, bytes, files]; a large file becomes several batches.
function batches(files) {
  const result = [];
  let parts = [], bytes = 0, count = 0;
  const close = () => {
    if (parts.length) result.push({ parts, bytes, count });
    parts = []; bytes = 0; count = 0;
  };
  for (const [path, file] of files) {
    if (file.size > PART_BYTES) {
      close();
      for (let offset = 0; offset < file.size; offset += PART_BYTES) {
        const end = Math.min(offset + PART_BYTES, file.size);
        result.push({
          parts: [frameHeader(path, end - offset, offset), file.slice(offset, end)],
          bytes: end - offset, count: end === file.size ? 1 : 0,
        });
      }
      continue;
    }
    parts.push(frameHeader(path, file.size, 0), file);
    bytes += file.size; count += 1;
    if (bytes >= BATCH_BYTES || count >= BATCH_FILES) close();
  }
  close();
  return result;
}

async function post(url, body, type) {
  let answer = null;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    answer = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': type } }).catch(() => null);
    if (answer && answer.status < 500) break;
    await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** attempt));
  }
  if (!answer) throw new Error('The connection to the server was lost. Try again.');
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(content.error || 'The server could not take the data.');
  return content;
}

async function entriesOf(items) {
  const found = [];
  const walk = async (entry, before) => {
    if (entry.isFile) {
      found.push([before + entry.name, await new Promise((good, bad) => entry.file(good, bad))]);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((good, bad) => reader.readEntries(good, bad));
      if (!some.length) return;
      for (const inner of some) await walk(inner, before + entry.name + '/');
    }
  };
  const entries = [...items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
  for (const entry of entries) await walk(entry, '');
  return found;
}

function megabytes(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const busy = new WeakMap();

export default function (component) {
  const { data, parentElement: root, setTriggerValue } = component;
  const zone = root.querySelector('.zone');
  const input = root.querySelector('input');
  const bar = root.querySelector('progress');
  const message = root.querySelector('.message');
  root.querySelector('.title').textContent = data.title;
  root.querySelector('.detail').textContent = data.detail;
  input.setAttribute('aria-label', data.title);
  input.toggleAttribute('webkitdirectory', data.folder);

  const say = (text, bad = false) => {
    message.textContent = text;
    message.classList.toggle('bad', bad);
  };

  const send = async (files) => {
    if (!files.length) { say('There are no files in there.', true); return; }
    if (busy.get(zone)) { say('An upload is under way. Wait for it to end.', true); return; }
    busy.set(zone, true);
    const total = files.reduce((sum, [, file]) => sum + file.size, 0);
    let sent = 0, arrived = 0, next = 0;
    bar.parentElement.hidden = false;
    bar.value = 0;
    try {
      say(`Sending ${files.length.toLocaleString()} files, ${megabytes(total)}`);
      await post(`${data.url}/begin`, JSON.stringify({ files: files.length, bytes: total, add: !data.folder }), 'application/json');
      setTriggerValue('begun', files.length);
      const work = batches(files);
      const worker = async () => {
        while (next < work.length) {
          const batch = work[next++];
          await post(data.url, new Blob(batch.parts), 'application/x-mlzero-frames');
          sent += batch.bytes; arrived += batch.count;
          bar.value = total ? sent / total : 1;
          say(`${arrived.toLocaleString()} of ${files.length.toLocaleString()} files, ${megabytes(sent)} of ${megabytes(total)}`);
        }
      };
      await Promise.all(Array.from({ length: WORKERS }, worker));
      say('Unpacking and putting the files in place');
      const answer = await post(`${data.url}/finish`, '{}', 'application/json');
      say('');
      setTriggerValue('complete', answer.place);
    } catch (error) {
      next = Infinity;
      say(error.message, true);
      setTriggerValue('failed', String(error.message));
    } finally {
      bar.parentElement.hidden = true;
      input.value = '';
      busy.set(zone, false);
    }
  };

  input.onchange = () => send([...input.files].map((file) => [file.webkitRelativePath || file.name, file]));
  zone.ondragover = (event) => { event.preventDefault(); zone.classList.add('over'); };
  zone.ondragleave = () => zone.classList.remove('over');
  zone.ondrop = async (event) => {
    event.preventDefault();
    zone.classList.remove('over');
    try { await send(await entriesOf(event.dataTransfer.items)); } catch (error) { say('These files could not be read.', true); }
  };
}
