/* What stands around the picture: the sum of the step, the ledger, tables, one tensor's details, the Doctor's reports. */

const MOST_RESULTS = 4;
const FRAME_WORDS = { backward_end: "end of the pass", zero_grad: "clear", step: "update", free: "memory", error: "error" };

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function card(caption, number, extra, kind) {
  return make(
    "div",
    { class: `card ${kind || ""}` },
    make("span", { class: "caption", text: caption }),
    make("strong", { text: number, class: number.length > 9 || /[‖[]/.test(number) ? "long" : "", title: number.length > 20 ? number : null }),
    extra ? make("span", { class: "extra", text: extra }) : null,
  );
}

function sign(text) {
  return make("span", { class: text === "→" ? "sign arrow" : "sign", text });
}

/* upstream × local = contribution, or for arrays the rule between what goes in and what comes out. */
function productCards(product) {
  const [into, out] = (product.shapes || []).map((shape) => (shape === "scalar" ? shape : `shape ${shape}`));
  const upstream = card(`upstream, from ${product.from}`, product.upstream, into);
  const value = card(`contribution to ${product.to}`, product.value, out, "result");
  if (product.rule !== undefined) {
    return [upstream, sign("→"), card(`rule of ${product.from}`, product.rule, null, "rule"), sign("→"), value];
  }
  const local = card(`local, ∂(${product.of})/∂${product.to}`, product.local, product.symbol ? `= ${product.symbol}` : null);
  return [upstream, sign("×"), local, sign("="), value];
}

/* 6 via u, then + 2 via v, then = 8: the contributions so far, who sent each, and how many are still to come. */
function ledgerCard(walk, [key, shown, pending]) {
  const entries = (walk.ledgers[key] || []).slice(0, shown);
  const node = walk.nodes.get(key.slice(key.indexOf(":") + 1));
  const name = node ? node.name : "this tensor";
  const total = shown + pending;
  const times = total === 2 ? "twice" : `${total} times`;
  const row = make("p", { class: entries.some((entry) => entry.added.length > 9) ? "terms long" : "terms" });
  const skipped = Math.max(0, entries.length - 6);
  if (skipped) row.append(make("span", { class: "via", text: `${skipped} earlier: ` }), make("b", { text: entries[skipped - 1].after }), " ");
  entries.slice(skipped).forEach((entry, index) => {
    const first = index === 0 && !skipped;
    row.append(
      make(
        "span",
        { class: index === entries.length - skipped - 1 ? "term latest" : "term" },
        make("b", { text: first ? entry.added : `+ ${entry.added}` }),
        entry.via ? make("span", { class: "via", text: ` via ${entry.via}` }) : null,
      ),
      " ",
    );
  });
  if (entries.length > 1) row.append(make("b", { class: "total", text: `= ${entries[entries.length - 1].after}` }), " ");
  const more = pending === 0 ? "nothing more to come" : pending === 1 ? "1 more to come" : `${pending} more to come`;
  row.append(make("span", { class: "via", text: `· ${more}` }));
  return make(
    "div",
    { class: "card ledger" },
    make("span", { class: "caption", text: `${name} was used ${times}, so its gradient is a sum` }),
    row,
  );
}

/* A forward step: what goes in, the operation, what comes out. */
function forwardCards(walk, node) {
  if (node.kind !== "op") {
    const note = node.kind === "leaf" ? "requires grad: a leaf" : "no grad asked for";
    return [card(node.name, walk.text(`${node.id}-value`), note, "made")];
  }
  const inputs = new Set();
  for (const edge of walk.edges.values()) if (edge.dst === node.id) inputs.add(edge.src);
  const cards = [...inputs].slice(0, 3).map((id) => card(walk.nodes.get(id).name, walk.text(`${id}-value`)));
  return [
    ...cards,
    cards.length ? sign("→") : null,
    card("operation", node.expr || node.kindWord, node.fn || "nothing recorded", "rule"),
    sign("="),
    card(node.name, walk.text(`${node.id}-value`), null, "made"),
  ].filter(Boolean);
}

/* What an update or the end of a pass leaves behind: a card for each tensor, as many as there is room for. */
function resultCards(walk, ids, suffix, note) {
  const nodes = ids.map((id) => walk.nodes.get(id)).filter(Boolean);
  const named = (node) => (suffix === "dotgrad" ? `${node.name}.grad` : node.name);
  const cards = nodes.slice(0, MOST_RESULTS).map((node) => card(named(node), walk.text(`${node.id}-${suffix}`), note, "made"));
  if (nodes.length > MOST_RESULTS) cards.push(card("and", `${nodes.length - MOST_RESULTS} more`, "in the table of values"));
  return cards;
}

function sumCards(walk) {
  const { frame } = walk;
  if (!frame) return [];
  const focus = frame.focus || [];
  const cards = [];
  if (frame.product) cards.push(...productCards(frame.product));
  else if (frame.kind === "forward" && focus.length) cards.push(...forwardCards(walk, walk.nodes.get(focus[0])));
  else if (frame.kind === "backward_start") {
    const root = walk.nodes.get(focus[0]);
    cards.push(card(`the pass starts at ${root.name}`, walk.text(`${root.id}-grad`), "upstream of everything", "result"));
  } else if (frame.kind === "leaf_grad") cards.push(...resultCards(walk, focus, "dotgrad", "kept after the pass"));
  else if (frame.kind === "backward_end") {
    const filled = [...walk.nodes.values()].filter((node) => walk.text(`${node.id}-dotgrad`) !== START_TEXT.dotgrad);
    cards.push(...resultCards(walk, filled.map((node) => node.id), "dotgrad"));
  } else if (frame.kind === "zero_grad") cards.push(...resultCards(walk, focus, "dotgrad", "cleared"));
  else if (frame.kind === "step") cards.push(...resultCards(walk, focus, "value", "updated"));
  else if (frame.kind === "mutate") cards.push(...resultCards(walk, focus, "value", "written in place"));
  else if (frame.kind === "visit") cards.push(...resultCards(walk, focus, "grad", "complete"));
  if (!cards.length) {
    const caption = make("span", { class: "caption", text: FRAME_WORDS[frame.kind] || "step" });
    cards.push(make("div", { class: `card wide ${frame.kind}` }, caption, make("span", { class: "extra", text: frame.text })));
  }
  if (frame.ledger) cards.push(ledgerCard(walk, frame.ledger));
  return cards;
}

const MOST_ROWS = 300;
const STEPS_AT_ONCE = 800;

/* Every tensor with its value, gradient of the pass and .grad; a row's name opens its details. */
const COLUMNS = ["value", "grad", "dotgrad"];

class ValuesTable {
  constructor(body, find, onNode) {
    this.body = body;
    this.find = find;
    this.cells = new Map();
    this.rows = new Map();
    this.current = [];
    body.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-node]");
      if (button) onNode(button.dataset.node);
    });
    find.addEventListener("input", () => this.fill());
    find.addEventListener("keydown", (event) => {
      const [first] = this.rows.keys();
      if (event.key === "Enter" && first) onNode(first);
    });
  }

  show(walk) {
    this.walk = walk;
    this.current = [];
    /* What is drawn comes first; what is inside collapsed boxes can be found by name. */
    this.nodes = [...walk.nodes.values()].sort((a, b) => Number(a.id in walk.alias) - Number(b.id in walk.alias));
    this.find.closest("label").hidden = this.nodes.length < 9;
    const table = this.body.parentElement;
    const longest = walk.longestWords();
    const widths = COLUMNS.map((suffix) => Math.min(10, Math.max(5, longest[suffix])));
    COLUMNS.forEach((suffix, place) => {
      table.style.setProperty(`--${suffix}`, `${widths[place]}ch`);
      table.style.setProperty(`--${suffix}-share`, `${widths[place]}fr`);
    });
    table.classList.toggle("dense", Math.max(...widths) > 8);
    this.fill();
  }

  /* The rows that match what is looked for, at most MOST_ROWS of them. */
  fill() {
    const wanted = this.find.value.trim().toLowerCase();
    const found = wanted ? this.nodes.filter((node) => wordsOf(node).includes(wanted)) : this.nodes;
    this.cells = new Map();
    this.rows = new Map();
    const rows = found.slice(0, MOST_ROWS).map((node) => this.row(node));
    const longest = this.nodes.reduce((most, node) => Math.max(most, node.name.length), 4);
    this.body.parentElement.style.setProperty("--longest-name", `${longest}ch`);
    if (found.length > MOST_ROWS) {
      const left = `and ${(found.length - MOST_ROWS).toLocaleString("en")} more: find them by name`;
      rows.push(make("tr", { role: "row" }, make("td", { role: "cell", class: "more", text: left })));
    }
    this.body.replaceChildren(...rows);
    for (const slot of this.cells.keys()) this.write(slot, this.walk);
    this.mark(this.marked || []);
  }

  row(node) {
    const row = make("tr", { role: "row", class: node.kind });
    const name = make("button", { type: "button", "data-node": node.id }, ...breakable(node.name));
    row.append(make("th", { role: "rowheader", scope: "row" }, name));
    for (const suffix of COLUMNS) {
      const cell = make("td", { role: "cell" });
      this.cells.set(`${node.id}-${suffix}`, cell);
      row.append(cell);
    }
    this.rows.set(node.id, row);
    return row;
  }

  write(slot, walk) {
    const cell = this.cells.get(slot);
    if (!cell) return;
    const node = walk.nodes.get(slot.slice(0, slot.indexOf("-")));
    const there = walk.state(node.id);
    const kept = !slot.endsWith("dotgrad") || node.leaf || walk.texts.has(slot);
    const applies = slot.endsWith("value") || (node.grad && kept);
    cell.textContent = !there ? "" : applies ? walk.text(slot) : slot.endsWith("dotgrad") ? "None" : "–";
  }

  mark(ids) {
    this.marked = ids;
    for (const row of this.current) row.classList.remove("now");
    this.current = ids.map((id) => this.rows.get(id)).filter(Boolean);
    for (const row of this.current) row.classList.add("now");
  }
}

function wordsOf(node) {
  return `${node.name} ${node.expr || ""} ${node.fn || ""} ${node.scope || ""}`.toLowerCase();
}

/* A dotted name may go on in the next line after a dot. */
function breakable(name) {
  return name.split(/(?<=\.)/).flatMap((part, place) => (place ? [make("wbr"), part] : [part]));
}

/* Every step in words: the walk for whoever does not look at the picture. */
class StepsTable {
  constructor(body, onStep) {
    this.body = body;
    this.rows = [];
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row && !String(window.getSelection())) onStep(Number(row.dataset.step));
    });
  }

  show(walk) {
    this.now = null;
    this.walk = walk;
    this.rows = [];
    this.body.replaceChildren();
    if (walk.length <= STEPS_AT_ONCE) this.fill();
  }

  /* Very long walks fill the table when it is opened. */
  fill() {
    const { walk } = this;
    if (!walk || this.rows.length) return;
    this.rows = walk.frames.map((frame, step) => {
      const stretch = walk.stretch(step);
      const starts = stretch && stretch.first === step;
      return make(
        "tr",
        { role: "row", "data-step": step, class: starts ? `starts ${stretch.part}` : stretch ? stretch.part : "" },
        make("td", { role: "cell" }, make("button", { type: "button", text: String(step + 1), "aria-label": `Go to step ${step + 1}` })),
        make("td", { role: "cell", text: frame.text }),
      );
    });
    this.body.replaceChildren(...this.rows);
  }

  mark(step, panel) {
    if (this.now) this.now.removeAttribute("aria-current");
    this.now = this.rows[step];
    if (!this.now) return;
    this.now.setAttribute("aria-current", "step");
    if (panel && !panel.hidden) this.bring(panel, 1);
  }

  /* Have the row in sight. Rows that were never drawn have a guessed height, so after a frame the place may be another. */
  bring(panel, frames) {
    const { offsetTop, offsetHeight } = this.now;
    if (offsetTop < panel.scrollTop || offsetTop + offsetHeight > panel.scrollTop + panel.clientHeight) {
      panel.scrollTop = offsetTop - panel.clientHeight / 2;
    }
    if (frames) requestAnimationFrame(() => this.now && this.bring(panel, frames - 1));
  }
}

/* A traced value in full: a number, a small grid, or the summary of a large array. */
function valueView(text, array) {
  if (array && Array.isArray(array)) {
    const flat = array.every((item) => !Array.isArray(item));
    const rows = flat ? [array] : array;
    if (rows.every((row) => Array.isArray(row) && row.every((item) => !Array.isArray(item)))) {
      return make(
        "div",
        { class: "grid" },
        make("table", {}, make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((item) => make("td", { text: item })))))),
      );
    }
    return make("span", { class: "number", text: JSON.stringify(array).replaceAll('"', "").replaceAll(",", ", ") });
  }
  if (array) {
    const said = ["min", "max", "mean", "norm"].filter((key) => key in array).map((key) => `${key} ${array[key]}`);
    return make("span", { class: "number", text: `${(array.shape || []).join("×")}: ${said.join(", ")}` });
  }
  return make("span", { class: "number", text: text === "" ? "–" : text });
}

/* One tensor: its operation, rule and numbers, value and gradients at this step. */
function nodeDetails(walk, id, onStep) {
  const node = walk.nodes.get(id);
  if (!node) return [make("p", { text: "Pick a tensor in the picture or in the table of values." })];
  const list = make("dl");
  const say = (term, ...content) => list.append(make("dt", { text: term }), make("dd", {}, ...content));
  say("what it is", node.kind === "op" ? `${node.expr || node.op} ${node.fn ? `(${node.fn})` : "(nothing recorded)"}` : node.kind);
  if (node.shape && node.shape.length) say("shape", `${node.shape.join("×")}, ${node.dtype}`);
  else say("dtype", node.dtype);
  if (node.line) say("line", String(node.line));
  if (node.scope) say("module", node.scope);
  if (node.saved) say("saved for backward", `${node.saved.toLocaleString("en")} bytes`);
  const value = (slot) => valueView(walk.text(slot), walk.arrays.get(slot));
  if (!walk.state(id)) say("value", "not computed yet");
  else {
    say("value", value(`${id}-value`));
    if (node.grad) say("gradient in this pass", value(`${id}-grad`));
    if (node.leaf || walk.texts.has(`${id}-dotgrad`)) say(".grad", value(`${id}-dotgrad`));
    say("version", walk.text(`${id}-version`));
  }
  const rules = make("ul", { class: "rules" });
  for (const { frame, step } of walk.productsFrom(id).slice(0, 12)) {
    const { product } = frame;
    const text = product.rule !== undefined
      ? `to ${product.to}: ${product.rule}`
      : `to ${product.to}: ∂(${product.of})/∂${product.to} = ${product.symbol ? `${product.symbol} = ` : ""}${product.local}; ${product.upstream} × ${product.local} = ${product.value}`;
    const go = make("button", { type: "button", text: `step ${step + 1}` });
    go.addEventListener("click", () => onStep(step));
    rules.append(make("li", {}, make("span", { text }), " ", go));
  }
  const parts = [make("h3", { text: node.title }), list];
  if (rules.childElementCount) parts.push(make("h4", { text: "Its rule, for each input" }), rules);
  return parts;
}

/* Text in which `code` stands between backticks. */
function withCode(text) {
  return text.split("`").map((part, index) => (index % 2 ? make("code", { text: part }) : part));
}

/* The Doctor's reports, each with a way to its place in the walk. */
function doctorReports(reports, go, cards) {
  if (!reports.length) return [make("p", { text: "The Doctor found nothing wrong." })];
  return reports.map((report) => {
    const article = make(
      "article",
      { class: `report ${report.severity}` },
      make("h3", { text: report.title }),
      make("p", {}, ...withCode(report.evidence || "")),
      report.fix ? make("p", { class: "fix" }, ...withCode(report.fix)) : null,
    );
    if (report.line || report.node) {
      const button = make("button", { type: "button", text: report.line ? `Go to line ${report.line}` : "Show it" });
      button.addEventListener("click", () => go(report));
      article.append(button);
    }
    if (report.concept && cards) {
      const address = `concepts?concept=${encodeURIComponent(report.concept)}`;
      article.append(" ", make("a", { href: address, text: "Read the card" }));
    }
    return article;
  });
}
