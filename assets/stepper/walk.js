/* The walk's state: what every text and state in the picture is at a given step. Knows nothing of the page. */

const START_TEXT = { value: "", grad: "–", dotgrad: "None", version: "0", label: "" };

class Walk {
  constructor(data) {
    this.frames = data.frames;
    this.ledgers = data.ledgers || {};
    this.passes = data.passes || [];
    this.nodes = new Map((data.nodes || []).map((node) => [node.id, node]));
    this.edges = new Map((data.edges || []).map((edge) => [edge.id, edge]));
    this.alias = data.alias || {};
    this.texts = new Map();
    this.states = new Map();
    this.arrays = new Map();
    this.at = -1;
    this.undo = [];
    this.sweep();
  }

  get length() {
    return this.frames.length;
  }

  /* Whether an array is written as its shape and norm somewhere. */
  get summaries() {
    return this.frames.some((frame) => [frame.text, ...Object.values(frame.texts || {})].some((text) => text.includes("‖")));
  }

  /* The length of the longest word (what no line break may cut) in each column of the table of values. */
  longestWords() {
    const most = { value: 0, grad: 0, dotgrad: 0 };
    for (const { texts } of this.frames) {
      for (const slot in texts) {
        const column = slot.slice(slot.indexOf("-") + 1);
        if (!(texts[slot].length > most[column])) continue;
        for (const word of texts[slot].split(" ")) most[column] = Math.max(most[column], word.length);
      }
    }
    return most;
  }

  get frame() {
    return this.frames[this.at];
  }

  /* One pass over all frames notes what each change replaces, so that a step back is as cheap as a step forward. */
  sweep() {
    const texts = new Map();
    const states = new Map();
    const arrays = new Map();
    this.undo = this.frames.map((frame) => ({
      texts: replaced(texts, frame.texts),
      states: replaced(states, frame.states),
      arrays: replaced(arrays, arraysOf(frame)),
    }));
  }

  /* Move to step `to` and tell which texts and states changed on the way. */
  go(to) {
    const dirty = { texts: new Set(), states: new Set() };
    while (this.at < to) {
      this.at += 1;
      const frame = this.frames[this.at];
      this.put(dirty, frame.texts, frame.states, arraysOf(frame));
    }
    while (this.at > to) {
      const back = this.undo[this.at];
      this.put(dirty, back.texts, back.states, back.arrays);
      this.at -= 1;
    }
    return dirty;
  }

  put(dirty, texts, states, arrays) {
    for (const slot in texts) {
      this.texts.set(slot, texts[slot]);
      dirty.texts.add(slot);
    }
    for (const id in states) {
      this.states.set(id, states[id]);
      dirty.states.add(id);
    }
    for (const slot in arrays) this.arrays.set(slot, arrays[slot]);
  }

  text(slot) {
    const known = this.texts.get(slot);
    return known === undefined || known === null ? START_TEXT[slot.slice(slot.indexOf("-") + 1)] || "" : known;
  }

  state(id) {
    return this.states.get(id) || "";
  }

  /* The stretch (forward 1, backward 1, ...) a step lies in. */
  stretch(step) {
    return this.passes.find((pass) => pass.first <= step && step <= pass.last);
  }

  /* The next step about `line`, after the present one, round to the first again. */
  stepOfLine(line) {
    for (let ahead = 1; ahead <= this.length; ahead += 1) {
      const step = (this.at + ahead) % this.length;
      if (this.frames[step].about === line || this.frames[step].line === line) return step;
    }
    return -1;
  }

  /* The contributions a node has passed or will pass on: its rule and numbers for every input. */
  productsFrom(id) {
    return this.frames
      .map((frame, step) => ({ frame, step }))
      .filter(({ frame }) => frame.product && frame.product.from_id === id);
  }
}

function replaced(known, changes) {
  const before = {};
  for (const key in changes) {
    before[key] = known.has(key) ? known.get(key) : null;
    known.set(key, changes[key]);
  }
  return before;
}

/* A slot that is written without an array no longer holds one. */
function arraysOf(frame) {
  const arrays = {};
  for (const slot in frame.texts) arrays[slot] = (frame.arrays && frame.arrays[slot]) || null;
  return arrays;
}
