/* Python source with line numbers and colours; lines can be marked and clicked. Shared by the stepper and the editor. */

const PYTHON_TOKEN =
  /(#[^\n]*)|("""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|[rbfuRBFU]{0,2}"(?:\\.|[^"\\\n])*"?|[rbfuRBFU]{0,2}'(?:\\.|[^'\\\n])*'?)|\b(False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b|\b((?:0[xXbBoO][\da-fA-F_]+)|(?:\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?j?)|(?:\.\d+(?:[eE][-+]?\d+)?))|(@[\w.]+)|(\b[A-Za-z_]\w*)(?=\s*\()/g;

const TOKEN_CLASSES = ["comment", "string", "keyword", "number", "decorator", "call"];

/* The source as one DocumentFragment a line; a string that spans lines is coloured on each of them. */
function colouredLines(source) {
  const lines = [document.createDocumentFragment()];
  const add = (text, kind) => {
    text.split("\n").forEach((part, index) => {
      if (index) lines.push(document.createDocumentFragment());
      if (!part) return;
      if (!kind) {
        lines[lines.length - 1].append(part);
        return;
      }
      const span = document.createElement("span");
      span.className = `tok-${kind}`;
      span.textContent = part;
      lines[lines.length - 1].append(span);
    });
  };
  let last = 0;
  for (const match of source.matchAll(PYTHON_TOKEN)) {
    add(source.slice(last, match.index), "");
    const group = match.slice(1).findIndex((text) => text !== undefined);
    add(match[0], TOKEN_CLASSES[group]);
    last = match.index + match[0].length;
  }
  add(source.slice(last), "");
  return lines;
}

/* A long line rather goes on behind a bracket than amid a word. */
function letBreak(code) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) found.push(texts.currentNode);
  for (const text of found) {
    const parts = text.data.split(/(?<=[([])(?=[^)\]])/);
    if (parts.length > 1) text.replaceWith(...parts.flatMap((part, place) => (place ? [document.createElement("wbr"), part] : [part])));
  }
}

class SourcePane {
  constructor(place, onLine) {
    this.place = place;
    this.onLine = onLine;
    this.lines = [];
    this.marked = [];
    place.addEventListener("click", (event) => {
      const line = event.target.closest("[data-line]");
      if (line && !String(window.getSelection())) this.onLine(Number(line.dataset.line));
    });
  }

  show(source, error) {
    const coloured = colouredLines(source.replace(/\n$/, ""));
    this.lines = coloured.map((content, index) => {
      const row = document.createElement("div");
      row.className = "line";
      row.dataset.line = String(index + 1);
      const number = document.createElement("button");
      number.type = "button";
      number.className = "number";
      number.tabIndex = -1;
      number.textContent = String(index + 1);
      number.setAttribute("aria-label", `Line ${index + 1} in the walk`);
      const code = document.createElement("code");
      code.append(content);
      letBreak(code);
      code.style.setProperty("--hang", `${code.textContent.search(/\S|$/) + 3}ch`);
      row.append(number, code);
      if (error && error.line === index + 1) {
        row.classList.add("wrong");
        const said = document.createElement("p");
        said.className = "fault";
        said.textContent = `${error.type}: ${error.message}`;
        row.append(said);
      }
      return row;
    });
    this.place.replaceChildren(...this.lines);
    this.marked = [];
  }

  /* `about` is the line of the operation shown, `running` the line that runs (such as y.backward()). */
  mark(about, running) {
    const row = this.lines[(about || running || 0) - 1];
    const other = this.lines[(running || 0) - 1];
    const scroll = row ? this.scrollFor(row) : null;
    for (const marked of this.marked) {
      marked.classList.remove("about", "running");
      marked.removeAttribute("aria-current");
    }
    this.marked = [];
    if (row) {
      row.classList.add("about");
      row.setAttribute("aria-current", "true");
      this.marked.push(row);
    }
    if (other && other !== row) {
      other.classList.add("running");
      this.marked.push(other);
    }
    if (scroll !== null) this.place.scrollTop = scroll;
  }

  /* Where to scroll so that a line is in sight; null when it is. */
  scrollFor(row) {
    const { scrollHeight, clientHeight, scrollTop } = this.place;
    if (scrollHeight <= clientHeight + 2) return null;
    const top = row.offsetTop;
    if (top >= scrollTop && top + row.offsetHeight <= scrollTop + clientHeight) return null;
    return Math.max(0, top - clientHeight / 2);
  }
}
