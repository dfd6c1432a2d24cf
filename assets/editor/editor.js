/* A small Python editor: a textarea over its own coloured copy, with line numbers, errors on their line, and a draft kept. */

const DRAFT_KEY = "backstep-draft";
const LONGEST_DRAFT = 100000;
const ANSWER_WITHIN = 1500; // milliseconds

class Editor {
  constructor(root) {
    this.root = root;
    this.find = (name) => root.querySelector(`[data-part="${name}"]`);
    this.area = this.find("code");
    this.fault = null;
    this.leaving = false;
    this.sent = []; // what was run and has not come back yet
    this.area.addEventListener("input", () => this.changed());
    this.area.addEventListener("keydown", (event) => this.key(event));
    for (const kind of ["keyup", "click", "focus"]) this.area.addEventListener(kind, () => this.markLine());
    this.find("run").addEventListener("click", () => this.run());
    this.find("back").addEventListener("click", () => {
      this.write(this.base);
      this.forget();
      this.changed();
      this.area.focus();
    });
  }

  show(data) {
    const fresh = data.source !== this.base;
    const own = this.sent.findIndex((source) => source.trim() === data.source.trim());
    this.sent = this.sent.slice(own + 1);
    this.fault = data.error || null;
    if (fresh) {
      const first = this.base === undefined;
      const typed = this.area.value;
      this.base = data.source;
      const draft = first ? this.remembered() : null;
      if (draft !== null) {
        this.write(draft);
        this.say("Your changes from before are back; they have not been run yet.");
      } else if (first || (own < 0 && typed !== data.source)) this.write(data.source); // never over what was typed since
    }
    const fault = this.find("fault");
    fault.hidden = !this.fault;
    fault.textContent = this.fault ? `${this.fault.line ? `Line ${this.fault.line}: ` : ""}${this.fault.type}: ${this.fault.message}` : "";
    this.ran = own < 0 ? this.area.value : data.source;
    if (this.running !== undefined && data.run !== this.running) {
      if (this.asked) this.sent = []; // asked for twice: whatever came is the answer
      this.say(this.sent.length ? "Running…" : "");
      this.askAgain();
    }
    this.running = data.run;
    this.find("run").disabled = false;
    this.colour();
  }

  write(text) {
    this.area.value = text;
  }

  changed() {
    this.colour();
    this.find("back").hidden = this.area.value === this.base;
    this.say(this.area.value === this.base ? "" : "Changed. Run to see the walk.");
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.remember(), 300);
  }

  colour() {
    const lines = colouredLines(this.area.value);
    const wrong = this.fault && this.area.value === this.ran ? this.fault.line : 0;
    const rows = lines.map((content, index) => {
      const row = document.createElement("span");
      row.className = index + 1 === wrong ? "row-of-code wrong" : "row-of-code";
      row.append(content);
      return row;
    });
    this.find("colours").replaceChildren(...rows);
    this.find("gutter").replaceChildren(
      ...lines.map((_, index) => {
        const number = document.createElement("div");
        number.textContent = String(index + 1);
        if (index + 1 === wrong) number.className = "wrong";
        return number;
      }),
    );
    this.find("back").hidden = this.area.value === this.base;
    this.at = null;
    this.markLine();
  }

  markLine() {
    const line = this.area.value.slice(0, this.area.selectionStart).split("\n").length - 1;
    const rows = this.find("colours").children;
    const numbers = this.find("gutter").children;
    if (this.at !== null && rows[this.at]) {
      rows[this.at].classList.remove("at");
      numbers[this.at].classList.remove("at");
    }
    const here = (this.root.activeElement || document.activeElement) === this.area;
    this.at = here ? line : null;
    if (here && rows[line]) {
      rows[line].classList.add("at");
      numbers[line].classList.add("at");
    }
  }

  key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.run();
    } else if (event.key === "Escape") {
      this.leaving = true;
      return;
    } else if (event.key === "Tab" && !this.leaving && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      this.indent(event.shiftKey);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.newLine();
    }
    if (event.key !== "Tab" && event.key !== "Shift") this.leaving = false;
    event.stopPropagation();
  }

  insert(text) {
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
    this.changed();
  }

  newLine() {
    const before = this.area.value.slice(0, this.area.selectionStart);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const indent = line.match(/^\s*/)[0];
    this.insert(`\n${indent}${/:\s*(#.*)?$/.test(line) ? "    " : ""}`);
    this.area.blur();
    this.area.focus();
  }

  indent(back) {
    const { value, selectionStart, selectionEnd } = this.area;
    const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
    const block = value.slice(start, selectionEnd);
    if (!back && !block.slice(0, -1).includes("\n") && selectionStart === selectionEnd) {
      this.insert(" ".repeat(4 - ((selectionStart - start) % 4)));
      return;
    }
    const lines = block.split("\n").map((line) => (back ? line.replace(/^ {1,4}/, "") : line ? `    ${line}` : line));
    this.area.setRangeText(lines.join("\n"), start, selectionEnd, "select");
    this.changed();
  }

  run() {
    this.say("Running…");
    this.forget();
    this.sent = [...this.sent.slice(-7), this.area.value];
    this.asked = false;
    this.ask(this.area.value);
  }

  ask(source) {
    this.host("run", { source, time: Date.now() });
  }

  /* Two runs in one moment: the second can get lost on its way while the first is answered. It is asked for once more. */
  askAgain() {
    clearTimeout(this.waiting);
    if (!this.sent.length || this.asked) return;
    this.waiting = setTimeout(() => {
      if (!this.sent.length) return;
      this.asked = true;
      this.ask(this.sent.at(-1));
    }, ANSWER_WITHIN);
  }

  say(words) {
    this.find("state").textContent = words;
  }

  /* The draft lives in this browser only, beside the text it started from. */
  remember() {
    try {
      if (this.area.value === this.base || this.area.value.length > LONGEST_DRAFT) window.localStorage.removeItem(DRAFT_KEY);
      else window.localStorage.setItem(DRAFT_KEY, JSON.stringify({ base: this.base, text: this.area.value }));
    } catch {
      /* Storage can be switched off; then a draft does not outlive a reload. */
    }
  }

  remembered() {
    try {
      const draft = JSON.parse(window.localStorage.getItem(DRAFT_KEY) || "null");
      return draft && draft.base === this.base && typeof draft.text === "string" ? draft.text : null;
    } catch {
      return null;
    }
  }

  forget() {
    clearTimeout(this.saving);
    try {
      window.localStorage.removeItem(DRAFT_KEY);
    } catch {
      /* As above. */
    }
  }
}

const editors = new WeakMap();

function mount({ data, parentElement, setTriggerValue }) {
  let editor = editors.get(parentElement);
  if (!editor) {
    editor = new Editor(parentElement);
    editors.set(parentElement, editor);
  }
  editor.host = setTriggerValue;
  editor.show(data);
  return () => editors.delete(parentElement);
}

export default mount;
