'use strict';
// The map of a report, and what makes its tables sort and lead to points. The page says everything
// without this script: the picture of the map is hidden only once the canvas is drawn.
// Nothing is stored, nothing is loaded.
(() => {
  const find = (selector) => document.querySelector(selector);
  const findAll = (selector) => [...document.querySelectorAll(selector)];
  const live = find('#live');
  const speak = (text) => { live.textContent = text; };

  // ---- Tables: a button in each head sorts; rows without a value stay last. -----------------------

  const valueOf = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent;

  function sortTable(table, head) {
    const rises = head.getAttribute('aria-sort') !== 'ascending';
    const column = head.cellIndex;
    for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', rises ? 'ascending' : 'descending');
    const rows = [...table.tBodies[0].rows].map((row) => [row, valueOf(row, column)]);
    const numeric = rows.every(([, value]) => value === '' || !Number.isNaN(Number(value)));
    const compare = numeric
      ? (one, other) => Number(one) - Number(other)
      : (one, other) => (one < other ? -1 : Number(one > other));
    rows.sort(([, one], [, other]) => {
      if (one === '' || other === '') return Number(one === '') - Number(other === '');
      return rises ? compare(one, other) : compare(other, one);
    });
    table.tBodies[0].append(...rows.map(([row]) => row));
    speak(`Sorted by ${head.textContent.trim()}, ${rises ? 'lowest' : 'highest'} first.`);
  }

  for (const table of findAll('table[data-sortable]')) {
    for (const head of table.tHead.rows[0].cells) {
      if (head.dataset.fixed !== undefined) continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      button.addEventListener('click', () => sortTable(table, head));
      head.append(button);
    }
  }

  const canvas = find('#canvas');
  if (!canvas) {
    window.discoReport = Object.freeze({ ready: performance.now(), shown: 0 });
    return;
  }

  // ---- The points: one block of little-endian arrays, each after the other. -----------------------

  const facts = JSON.parse(find('#map-facts').textContent);
  const count = facts.count;
  const text = atob(find('#map-points').textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const kinds = { f4: Float32Array, i2: Int16Array, i4: Int32Array };
  const columns = {};
  let offset = 0;
  for (const [name, kind] of facts.columns) {
    columns[name] = new kinds[kind](bytes.buffer, offset, count);
    offset += columns[name].byteLength;
  }
  const { x, y, score, first, second, label, near } = columns;
  const rowNames = facts.rows === null ? [] : facts.rows.split('\n');
  const rowOf = (i) => (columns.row ? columns.row[i] : i);

  // ---- Who is near the mouse: points counted into square cells, about four in each. ---------------

  const edge = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (let i = 0; i < count; i++) {
    if (x[i] < edge.left) edge.left = x[i];
    if (x[i] > edge.right) edge.right = x[i];
    if (y[i] < edge.bottom) edge.bottom = y[i];
    if (y[i] > edge.top) edge.top = y[i];
  }
  const width = Math.max(edge.right - edge.left, 1e-6);
  const height = Math.max(edge.top - edge.bottom, 1e-6);
  const cell = Math.max(Math.sqrt(width * height * 4 / count), Math.max(width, height) / 1000);
  const across = 1 + Math.floor(width / cell);
  const up = 1 + Math.floor(height / cell);
  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const columnAt = (at) => clamp(Math.floor((at - edge.left) / cell), 0, across - 1);
  const rowAt = (at) => clamp(Math.floor((at - edge.bottom) / cell), 0, up - 1);
  const begins = new Uint32Array(across * up + 1);
  const inCells = new Uint32Array(count);
  for (let i = 0; i < count; i++) begins[rowAt(y[i]) * across + columnAt(x[i]) + 1]++;
  for (let c = 0; c < across * up; c++) begins[c + 1] += begins[c];
  const free = begins.slice(0, across * up);
  for (let i = 0; i < count; i++) inCells[free[rowAt(y[i]) * across + columnAt(x[i])]++] = i;

  // The nearest point to a place of the canvas that lies within reach (pixels); -1: there is none.
  function nearest(px, py, reach) {
    const atX = (px - view.x) / view.scale, atY = (view.y - py) / view.scale;
    const distance = reach / view.scale;
    let best = -1, least = distance * distance;
    for (let r = rowAt(atY - distance); r <= rowAt(atY + distance); r++) {
      for (let c = columnAt(atX - distance); c <= columnAt(atX + distance); c++) {
        for (let p = begins[r * across + c]; p < begins[r * across + c + 1]; p++) {
          const i = inCells[p], far = (x[i] - atX) ** 2 + (y[i] - atY) ** 2;
          if (far <= least && (chosen === null || label[i] === chosen)) { least = far; best = i; }
        }
      }
    }
    return best;
  }

  // ---- Colors: by score or by label; points of other clusters than the chosen one are faint. -----

  const context = canvas.getContext('2d', { alpha: false });
  const tip = find('#tip');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const colors = new Uint32Array(count);
  const theme = { back: 0, ink: '', ground: '' };
  let mode = 'score', chosen = null;

  const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const pack = ([red, green, blue]) => (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
  const mix = (one, other, share) => one.map((v, i) => Math.round(v + (other[i] - v) * share));

  function rampOf(stops) {
    return Uint32Array.from({ length: 256 }, (_, i) => {
      const at = i / 255 * (stops.length - 1), stop = Math.min(stops.length - 2, Math.floor(at));
      return pack(mix(stops[stop], stops[stop + 1], at - stop));
    });
  }

  const shade = (i) => Math.round((score[i] + 1) * 127.5);

  function recolor() {
    const style = getComputedStyle(document.body), name = dark.matches ? 'dark' : 'light';
    const ground = style.backgroundColor.match(/\d+/g).slice(0, 3).map(Number);
    const ink = style.color.match(/\d+/g).slice(0, 3).map(Number);
    Object.assign(theme, { back: pack(ground), ink: style.color, ground: style.backgroundColor });
    const ramp = rampOf(facts.ramps[name].map(parts));
    const palette = facts.palettes[name].map((hex) => pack(parts(hex)));
    const noise = pack(parts(facts.noise)), faint = pack(mix(ground, ink, 0.14));
    for (let i = 0; i < count; i++) {
      if (chosen !== null && label[i] !== chosen) colors[i] = faint;
      else if (mode === 'score') colors[i] = ramp[shade(i)];
      else colors[i] = label[i] < 0 ? noise : palette[label[i] % palette.length];
    }
    redraw();
  }

  // By score, the lowest are drawn last and lie on top; by label, clusters lie above the noise.
  const byScore = new Uint32Array(count), byLabel = new Uint32Array(count);
  const places = new Uint32Array(257);
  for (let i = 0; i < count; i++) places[256 - shade(i)]++;
  for (let s = 0; s < 256; s++) places[s + 1] += places[s];
  for (let i = 0; i < count; i++) byScore[places[255 - shade(i)]++] = i;
  let place = 0;
  for (const isNoise of [true, false]) {
    for (let i = 0; i < count; i++) if (label[i] < 0 === isNoise) byLabel[place++] = i;
  }

  // ---- Drawing: each point is stamped into the pixels, discs for clusters, crosses for noise. -----

  // Pixel = x * scale + view.x across, view.y - y * scale down; `ratio` is pixels per CSS pixel.
  const view = { x: 0, y: 0, scale: 1, home: 1, ratio: 1 };
  let image, pixels, marked = -1, stale = false, waiting = false, draws = 0;

  function stampOf(radius, covers) {
    const reach = Math.ceil(radius), offsets = [], shares = [];
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        const share = clamp(covers(dx, dy), 0, 1);
        if (share > 0.05) { offsets.push(dy * image.width + dx); shares.push(Math.round(share * 256)); }
      }
    }
    return { offsets: Int32Array.from(offsets), shares: Int32Array.from(shares) };
  }

  const radiusOf = () => view.ratio * Math.min(
    7, clamp(1.1 * Math.sqrt(4000 / count), 0.8, 3.2) * Math.pow(view.scale / view.home, 0.42));

  function stampPoints() {
    const radius = radiusOf(), long = 1.4 * radius, arm = Math.max(0.4, radius / 5);
    const margin = Math.ceil(long) + 1;
    const disc = stampOf(radius, (dx, dy) => radius + 0.5 - Math.hypot(dx, dy));
    const cross = stampOf(long, (dx, dy) => Math.min(
      arm + 0.5 - Math.abs(Math.abs(dx) - Math.abs(dy)) * 0.7, long + 0.5 - Math.hypot(dx, dy)));
    const order = mode === 'score' ? byScore : byLabel;
    const right = image.width - margin, bottom = image.height - margin;
    pixels.fill(theme.back);
    for (let pass = chosen === null ? 1 : 0; pass < 2; pass++) {
      for (let o = 0; o < count; o++) {
        const i = order[o];
        if (chosen !== null && (label[i] === chosen) !== (pass === 1)) continue;
        const px = Math.round(x[i] * view.scale + view.x), py = Math.round(view.y - y[i] * view.scale);
        if (px < margin || py < margin || px >= right || py >= bottom) continue;
        stamp(py * image.width + px, label[i] < 0 ? cross : disc, colors[i]);
      }
    }
  }

  function stamp(base, { offsets, shares }, color) {
    const red = color & 255, green = color >> 8 & 255, blue = color >> 16 & 255;
    for (let s = 0; s < offsets.length; s++) {
      const at = base + offsets[s], share = shares[s];
      if (share > 250) { pixels[at] = color; continue; }
      const was = pixels[at], r = was & 255, g = was >> 8 & 255, b = was >> 16 & 255;
      pixels[at] = (0xff000000 | b + ((blue - b) * share >> 8) << 16
        | g + ((green - g) * share >> 8) << 8 | r + ((red - r) * share >> 8)) >>> 0;
    }
  }

  const shorten = (name) => (name.length > 24 ? `${name.slice(0, 23)}…` : name);

  // Names of clusters, the largest first; one that would lie on another is left out.
  function drawNames() {
    const size = 12 * view.ratio, taken = [];
    Object.assign(context, {
      font: `600 ${size}px system-ui, sans-serif`, textAlign: 'center', textBaseline: 'middle',
      lineJoin: 'round', lineWidth: 3.5 * view.ratio, strokeStyle: theme.ground, fillStyle: theme.ink,
    });
    for (const [cluster, i] of facts.spots) {
      if (chosen !== null && cluster !== chosen) continue;
      const px = x[i] * view.scale + view.x, py = view.y - y[i] * view.scale;
      const name = shorten(facts.names[cluster]), half = context.measureText(name).width / 2 + 4;
      const hits = (other) => Math.abs(other.px - px) < other.half + half
        && Math.abs(other.py - py) < 1.25 * size;
      if (taken.some(hits)) continue;
      taken.push({ px, py, half });
      context.strokeText(name, px, py);
      context.fillText(name, px, py);
    }
  }

  function drawRing() {
    context.strokeStyle = theme.ink;
    context.lineWidth = 2 * view.ratio;
    context.beginPath();
    context.arc(x[marked] * view.scale + view.x, view.y - y[marked] * view.scale,
      Math.max(5 * view.ratio, radiusOf() + 3 * view.ratio), 0, 2 * Math.PI);
    context.stroke();
  }

  function draw() {
    waiting = false;
    if (!image) return;
    if (stale) stampPoints();
    stale = false;
    context.putImageData(image, 0, 0);
    if (mode === 'label') drawNames();
    if (marked >= 0) drawRing();
    draws++;
  }

  // A ring that moves needs no new stamps.
  function redraw(points = true) {
    stale ||= points;
    if (!waiting) { waiting = true; requestAnimationFrame(draw); }
  }

  // ---- The view: everything, larger, smaller, elsewhere. -------------------------------------------

  function showAll() {
    view.scale = view.home;
    centre((edge.left + edge.right) / 2, (edge.bottom + edge.top) / 2);
  }

  function centre(atX, atY) {
    view.x = canvas.width / 2 - atX * view.scale;
    view.y = canvas.height / 2 + atY * view.scale;
    redraw();
  }

  function zoom(factor, px = canvas.width / 2, py = canvas.height / 2) {
    const by = clamp(view.scale * factor, 0.5 * view.home, 400 * view.home) / view.scale;
    view.x = px - by * (px - view.x);
    view.y = py - by * (py - view.y);
    view.scale *= by;
    redraw();
  }

  function move(dx, dy) {
    view.x += dx;
    view.y += dy;
    redraw();
  }

  // The middle and the zoom stay as they are when the window changes.
  function fit() {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const wide = Math.round(canvas.clientWidth * ratio), high = Math.round(canvas.clientHeight * ratio);
    if (!wide || !high || (image && wide === image.width && high === image.height)) return;
    const zoomed = view.scale / view.home;
    const middle = [(canvas.width / 2 - view.x) / view.scale, (view.y - canvas.height / 2) / view.scale];
    const isFirst = !image;
    canvas.width = wide;
    canvas.height = high;
    image = context.createImageData(wide, high);
    pixels = new Uint32Array(image.data.buffer);
    view.ratio = ratio;
    view.home = 0.92 * Math.min(wide / width, high / height);
    view.scale = view.home * (isFirst ? 1 : zoomed);
    if (isFirst) showAll();
    else centre(...middle);
    if (marked >= 0) placeTip();
  }

  // ---- One point: a ring and its numbers. ----------------------------------------------------------

  const inFour = (value) => {
    if (Number.isNaN(value)) return '–';
    const size = Math.abs(value);
    const shown = size >= 1e4 || (size && size < 1e-3) ? value.toExponential(2) : value.toPrecision(4);
    return shown.replace(/-/g, '−');
  };
  const nameOf = (cluster) => (cluster < 0 ? '–' : facts.names[cluster]);

  function wordsOf(i) {
    const name = rowNames[i] ? `${rowNames[i]} (row ${rowOf(i)})` : rowOf(i);
    const value = `score ${score[i].toFixed(3).replace('-', '−')}`;
    return label[i] < 0
      ? `Point ${name}, noise: ${value}\nrho_sparse ${inFour(first[i])}, rho_far ${inFour(second[i])}`
        + `\ncomes closest: ${nameOf(near[i])}`
      : `Point ${name}, cluster ${nameOf(label[i])}: ${value}\na ${inFour(first[i])} (own), `
        + `b ${inFour(second[i])} (nearest)\nnearest cluster: ${nameOf(near[i])}`;
  }

  function placeTip() {
    const px = (x[marked] * view.scale + view.x) / view.ratio;
    const py = (view.y - y[marked] * view.scale) / view.ratio;
    const below = py + 14 + tip.offsetHeight <= canvas.clientHeight;
    tip.style.left = `${clamp(px + 12, 0, Math.max(0, canvas.clientWidth - tip.offsetWidth - 4))}px`;
    tip.style.top = `${Math.max(0, below ? py + 12 : py - tip.offsetHeight - 10)}px`;
  }

  function mark(i, isSpoken = false) {
    if (i !== marked) { marked = i; redraw(false); }
    tip.hidden = i < 0;
    if (i < 0) return;
    const words = wordsOf(i);
    if (tip.textContent !== words) tip.textContent = words;
    if (isSpoken) speak(words);
    placeTip();
  }

  function showPoint(i) {
    centre(x[i], y[i]);
    mark(i, true);
  }

  // Points of the chosen cluster, or all, from the lowest score up; sorted when first asked for.
  let walk = null, step = -1;
  function walkBy(change) {
    if (!walk) {
      walk = Uint32Array.from({ length: count }, (_, i) => i)
        .filter((i) => chosen === null || label[i] === chosen)
        .sort((one, other) => score[one] - score[other] || one - other);
      step = -1;
    }
    step = clamp(step + change, 0, walk.length - 1);
    showPoint(walk[step]);
  }

  // ---- Mouse, fingers, keys. -----------------------------------------------------------------------

  const pointers = new Map();
  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * view.ratio, (event.clientY - box.top) * view.ratio];
  };

  canvas.addEventListener('pointerdown', (event) => {
    const at = placeOf(event);
    pointers.set(event.pointerId, { at, from: at });
    canvas.setPointerCapture(event.pointerId);
  });

  canvas.addEventListener('pointermove', (event) => {
    const at = placeOf(event), pointer = pointers.get(event.pointerId);
    if (!pointer) {
      if (event.pointerType === 'mouse') mark(nearest(...at, 14 * view.ratio));
      return;
    }
    const [dx, dy] = [at[0] - pointer.at[0], at[1] - pointer.at[1]];
    const other = [...pointers.values()].find((one) => one !== pointer);
    if (other) {
      const far = (place) => Math.hypot(place[0] - other.at[0], place[1] - other.at[1]);
      move(dx / 2, dy / 2);
      zoom(far(at) / Math.max(1, far(pointer.at)), (at[0] + other.at[0]) / 2, (at[1] + other.at[1]) / 2);
      mark(-1);
    } else if (event.pointerType !== 'touch') { // one finger scrolls the page
      mark(-1);
      move(dx, dy);
    }
    pointer.at = at;
  });

  // A finger that scrolled ends in pointercancel: only a tap or a click shows a point.
  canvas.addEventListener('pointerup', (event) => {
    const pointer = pointers.get(event.pointerId), at = placeOf(event);
    pointers.delete(event.pointerId);
    if (!pointer || pointers.size) return;
    const moved = Math.hypot(at[0] - pointer.from[0], at[1] - pointer.from[1]);
    if (moved < 6 * view.ratio) mark(nearest(...at, (event.pointerType === 'mouse' ? 14 : 22) * view.ratio), true);
  });
  canvas.addEventListener('pointercancel', (event) => pointers.delete(event.pointerId));
  // A finger leaves after every tap; what the tap showed stays.
  canvas.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse' && !pointers.size) mark(-1);
  });

  // The wheel scrolls the page unless the map has the focus, or Ctrl is held (which pinching sends).
  canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && document.activeElement !== canvas) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), ...placeOf(event));
    if (marked >= 0) placeTip();
  }, { passive: false });
  canvas.addEventListener('dblclick', (event) => zoom(2, ...placeOf(event)));

  const keys = {
    'ArrowLeft': () => move(0.1 * canvas.width, 0),
    'ArrowRight': () => move(-0.1 * canvas.width, 0),
    'ArrowUp': () => move(0, 0.1 * canvas.width),
    'ArrowDown': () => move(0, -0.1 * canvas.width),
    '+': () => zoom(1.5),
    '=': () => zoom(1.5),
    '-': () => zoom(1 / 1.5),
    '0': showAll,
    'n': () => walkBy(1),
    'p': () => walkBy(-1),
    'Escape': () => mark(-1),
  };
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
    if (marked >= 0) placeTip();
  });

  // ---- Controls and tables that lead to the map. ---------------------------------------------------

  for (const input of findAll('input[name=color]')) {
    input.addEventListener('change', () => {
      mode = input.value;
      find('#scale').toggleAttribute('hidden', mode !== 'score'); // SVG has no property `hidden`
      recolor();
    });
  }
  const controls = { '#zoom-in': () => zoom(1.5), '#zoom-out': () => zoom(1 / 1.5), '#show-all': showAll };
  for (const [selector, act] of Object.entries(controls)) {
    find(selector).addEventListener('click', () => { act(); if (marked >= 0) placeTip(); });
  }

  function choose(button) {
    const cluster = Number(button.dataset.cluster);
    chosen = chosen === cluster ? null : cluster;
    for (const other of findAll('#clusters button[data-cluster]')) {
      const isChosen = Number(other.dataset.cluster) === chosen;
      other.setAttribute('aria-pressed', String(isChosen));
      other.closest('tr').classList.toggle('chosen', isChosen);
    }
    walk = null;
    mark(-1);
    speak(chosen === null ? 'All points are shown.' : `${button.textContent.trim()} is highlighted in the map.`);
    recolor();
  }

  for (const button of findAll('#clusters button[data-cluster]')) {
    button.disabled = false;
    button.addEventListener('click', () => choose(button));
  }
  for (const button of findAll('#worst button[data-point]')) {
    button.disabled = false;
    button.addEventListener('click', () => {
      if (chosen !== null) choose(find('#clusters button[aria-pressed=true]'));
      view.scale = Math.max(view.scale, 4 * view.home);
      canvas.focus({ preventScroll: true });
      canvas.scrollIntoView({ block: 'center' });
      showPoint(Number(button.dataset.point));
    });
  }

  // ---- Beginning: the canvas takes the place of the picture. ---------------------------------------

  canvas.hidden = false;
  fit();
  recolor();
  draw();
  find('#picture').hidden = true;
  for (const element of findAll('[data-script]')) element.removeAttribute('hidden');
  dark.addEventListener('change', recolor);
  new ResizeObserver(fit).observe(canvas);
  addEventListener('resize', fit);
  matchMedia('(min-resolution: 1.5dppx)').addEventListener('change', fit); // on another screen

  // For tests, which cannot see the canvas otherwise; nothing on the page uses it.
  // ready: when the map was first drawn, in ms after the page began to load; shown: points in the
  // map; xy(i): where the i-th of them is in the window; draws(): how often the canvas was drawn;
  // checksum(): a number that tells one picture of the canvas from another.
  window.discoReport = Object.freeze({
    ready: performance.now(),
    shown: count,
    xy(i) {
      const box = canvas.getBoundingClientRect();
      return [box.left + (x[i] * view.scale + view.x) / view.ratio,
        box.top + (view.y - y[i] * view.scale) / view.ratio];
    },
    draws: () => draws,
    checksum() {
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      let sum = 0;
      for (let i = 0; i < data.length; i += 4) {
        sum = (sum * 31 + data[i] * 3 + data[i + 1] * 5 + data[i + 2] * 7) >>> 0;
      }
      return sum;
    },
  });
})();
