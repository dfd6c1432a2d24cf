/* Two steppers that step together. `steps` pairs the steps that correspond; between two pairs each side takes its own. */

const SIDES = ["left", "right"];

class Half extends Stepper {
  constructor(root, pair, side) {
    super(root, null);
    this.pair = pair;
    this.side = side;
    const alone = { ...this.actions };
    for (const [name, to] of [["first", () => 0], ["previous", () => pair.at - 1], ["last", () => pair.way.length - 1]]) {
      this.actions[name] = () => (pair.together ? pair.go(to()) : alone[name]());
    }
    this.actions.play = () => (pair.together ? undefined : alone.play());
  }

  next() {
    if (this.pair.together) this.pair.go(this.pair.at + 1);
    else super.next();
  }

  after(moved) {
    super.after(moved);
    if (moved) this.pair.moved(this);
  }

  everything() {
    super.everything();
    this.markDifferences();
  }

  /* What differs carries a mark of its own: in the picture, in the table of values and beside the line. */
  markDifferences() {
    const { nodes, lines } = this.pair.data.marks[this.side];
    for (const id of nodes) {
      const part = this.picture.part(id);
      if (part) part.classList.add("differs");
      const row = this.values.rows.get(id);
      if (row) row.classList.add("differs");
    }
    for (const line of lines) {
      const row = this.source.lines[line - 1];
      if (row) row.classList.add("changed");
    }
  }
}

class Pair {
  constructor(root) {
    this.root = root.querySelector(".pair");
    this.find = (name) => this.root.querySelector(`[data-pair="${name}"]`);
    this.together = true;
    this.at = 0;
    this.way = [];
    this.halves = SIDES.map((side) => new Half(this.root.querySelector(`[data-half="${side}"]`), this, side));
    const moves = { first: () => 0, previous: () => this.at - 1, next: () => this.at + 1, last: () => this.way.length - 1 };
    this.root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-joint]");
      if (button) this.go(moves[button.dataset.joint]());
      const show = event.target.closest("[data-difference]");
      if (show) this.showDifference(this.data.differences[Number(show.dataset.difference)]);
    });
    this.find("slider").addEventListener("input", (event) => this.go(Number(event.target.value) - 1));
    this.find("together").addEventListener("change", (event) => this.join(event.target.checked));
  }

  show(data) {
    const fresh = !this.data || this.data.id !== data.id;
    this.data = data;
    if (fresh) {
      this.way = jointWay(data.steps, data.lengths);
      this.find("slider").max = String(Math.max(1, this.way.length));
      this.find("differences").replaceChildren(...differenceRows(data.differences, data.titles));
      this.find("table").hidden = !data.differences.length;
      this.find("none").hidden = Boolean(data.differences.length);
      SIDES.forEach((side, place) => {
        this.find(`title-${side}`).textContent = data.titles[place];
        this.find(`column-${side}`).textContent = data.titles[place];
      });
    }
    this.following = true;
    SIDES.forEach((side, place) => {
      this.halves[place].show({ ...data[side], title: data.titles[place], place: data.id });
      this.halves[place].region.setAttribute("aria-label", `Backward pass stepper: ${data.titles[place]}`);
    });
    this.following = false;
    if (fresh) {
      this.at = -1;
      this.go(Math.max(0, this.way.findIndex(([left]) => left >= data.left.step)));
    }
  }

  /* -- stepping -------------------------------------------------------------------------------------------------------- */

  go(to) {
    if (!this.way.length) return;
    const target = Math.min(Math.max(to, 0), this.way.length - 1);
    const before = this.at;
    this.at = target;
    this.following = true;
    this.way[target].slice(0, 2).forEach((step, place) => {
      const half = this.halves[place];
      const still = half.walk.at === step;
      /* Only the side that moves speaks, the first one when both do. */
      half.find("said").setAttribute("aria-live", still || (place && this.way[target][2]) ? "off" : "polite");
      half.move(step);
    });
    this.following = false;
    if (target !== before) this.tell();
  }

  /* A half moved by itself (a click on a line, a row of its table): the other follows to where it corresponds. */
  moved(half) {
    if (this.following || !this.together) return;
    const place = SIDES.indexOf(half.side);
    const index = this.way.findIndex((step) => step[place] === half.walk.at);
    if (index >= 0) this.go(index);
  }

  tell() {
    const [left, right, paired] = this.way[this.at];
    const before = this.way[this.at - 1];
    const waits = paired ? "" : before && before[0] === left ? "left" : "right";
    for (const side of SIDES) {
      const waiting = this.together && waits === side;
      this.find(`waits-${side}`).hidden = !waiting;
      this.root.querySelector(`[data-half="${side}"]`).classList.toggle("waiting", waiting);
    }
    const slider = this.find("slider");
    slider.value = String(this.at + 1);
    slider.style.setProperty("--done", `${this.way.length > 1 ? (this.at / (this.way.length - 1)) * 100 : 100}%`);
    slider.setAttribute("aria-valuetext", `Step ${left + 1} of the first and step ${right + 1} of the second`);
    this.find("count").textContent = `${this.at + 1} / ${this.way.length}`;
    for (const [name, on] of [["first", this.at > 0], ["previous", this.at > 0], ["next", this.at < this.way.length - 1], ["last", this.at < this.way.length - 1]]) {
      this.root.querySelector(`[data-joint="${name}"]`).setAttribute("aria-disabled", String(!on));
    }
  }

  join(on) {
    this.together = on;
    this.root.classList.toggle("apart", !on);
    for (const half of this.halves) half.find("said").setAttribute("aria-live", "polite");
    if (on) this.moved(this.halves[0]);
    this.tell();
  }

  showDifference(difference) {
    this.following = true;
    SIDES.forEach((side, place) => {
      const half = this.halves[place];
      const step = difference[`${side}_step`];
      if (step !== null && step !== undefined) half.move(step);
      const node = difference[`${side}_node`];
      if (node && half.walk.nodes.has(node)) {
        half.picture.select(node);
        half.picture.keep([node]);
      }
    });
    this.following = false;
    const place = difference.left_step === null ? 1 : 0;
    const index = this.way.findIndex((step) => step[place] === this.halves[place].walk.at);
    if (index >= 0) {
      this.at = index;
      this.tell();
    }
    this.find("bar").scrollIntoView({ block: "nearest" });
  }

  destroy() {
    for (const half of this.halves) half.destroy();
  }
}

/* Every place of both walks in one order: [step on the left, step on the right, whether they correspond]. */
function jointWay(pairs, [leftLength, rightLength]) {
  const way = [];
  let [left, right] = [-1, -1];
  for (const [toLeft, toRight] of [...pairs, [leftLength, rightLength]]) {
    while (left < toLeft - 1) way.push([(left += 1), Math.max(right, 0), false]);
    while (right < toRight - 1) way.push([Math.max(left, 0), (right += 1), false]);
    if (toLeft === leftLength) break;
    [left, right] = [toLeft, toRight];
    way.push([left, right, true]);
  }
  return way;
}

function differenceRows(differences, titles) {
  return differences.map((difference, index) => {
    const many = difference.times > 1 ? ` (${difference.times} times)` : "";
    const cell = (text, title) => make("td", { role: "cell", "data-label": title, text: text || "–" });
    const go = make("button", { type: "button", "data-difference": index, text: "Show", "aria-label": `Show where ${difference.name} differs` });
    const there = difference.left_step !== null || difference.right_step !== null;
    return make(
      "tr",
      { role: "row" },
      make("th", { role: "rowheader", scope: "row", text: difference.name }),
      make("td", { role: "cell", class: "what", text: difference.what + many }),
      cell(difference.left, titles[0]),
      cell(difference.right, titles[1]),
      make("td", { role: "cell", class: "act" }, there ? go : null),
    );
  });
}

const pairs = new WeakMap();

export default function ({ data, parentElement }) {
  let pair = pairs.get(parentElement);
  if (!pair) {
    pair = new Pair(parentElement);
    pairs.set(parentElement, pair);
  }
  pair.show(data);
  return () => {
    pair.destroy();
    pairs.delete(parentElement);
  };
}
