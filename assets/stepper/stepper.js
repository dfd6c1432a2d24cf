/* The stepper: wires walk, picture and panels to the controls. A step never asks the server; it is told of it afterwards. */

const REPORT_AFTER = 350;
const ADDRESS_AFTER = 250;
const TAB_NAMES = { values: "Values", steps: "All steps", node: "Tensor", doctor: "Doctor" };
const PLAY_INTERVAL = 1400;

class Stepper {
  constructor(root, host) {
    this.root = root;
    this.host = host;
    this.region = root.querySelector(".stepper");
    this.find = (name) => this.region.querySelector(`[data-part="${name}"]`);
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.picture = new Picture(this.find("canvas"), (id) => this.pick(id));
    this.source = new SourcePane(this.find("source"), (line) => this.goLine(line));
    this.values = new ValuesTable(this.find("values"), this.find("find"), (id) => this.pick(id));
    this.steps = new StepsTable(this.find("steps"), (step) => this.go(step));
    this.predicting = false;
    this.score = { right: 0, asked: 0 };
    this.tab = "values";
    this.actions = {
      first: () => this.go(0),
      previous: () => this.go(this.walk.at - 1),
      next: () => this.next(),
      last: () => this.go(this.walk.length - 1),
      play: () => this.togglePlay(),
      predict: () => this.togglePredict(),
      reveal: () => this.reveal(),
      "zoom-in": () => this.picture.zoom(1.25),
      "zoom-out": () => this.picture.zoom(0.8),
      fit: () => this.toggleFit(),
      "save-svg": () => this.save("svg"),
      "save-png": () => this.save("png"),
      "save-dot": () => this.save("dot"),
    };
    this.listen();
  }

  listen() {
    this.region.addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button && !button.disabled) this.actions[button.dataset.do]();
    });
    this.region.addEventListener("keydown", (event) => this.key(event));
    this.find("slider").addEventListener("input", (event) => this.go(Number(event.target.value) - 1));
    this.find("passes").addEventListener("change", (event) => this.go(Number(event.target.value)));
    this.find("guess").addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
    this.find("tabs").addEventListener("keydown", (event) => {
      const tabs = [...this.find("tabs").children];
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const to = tabs[(tabs.findIndex((tab) => tab.dataset.tab === this.tab) + way + tabs.length) % tabs.length];
      this.openTab(to.dataset.tab);
      to.focus();
    });
    this.widths = new ResizeObserver(() => this.region.classList.toggle("broad", this.region.clientWidth >= 860));
    this.widths.observe(this.region);
    /* What grows with the step (sum, narration) keeps its largest height, so that the buttons stay where they are. */
    this.heights = new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries) {
        const height = Math.ceil(borderBoxSize[0].blockSize);
        if (height > (Number(target.dataset.most) || 0)) {
          target.dataset.most = String(height);
          target.style.minHeight = `${height}px`;
        }
      }
    });
    for (const name of ["sum", "said"]) this.heights.observe(this.find(name));
    this.leaving = () => this.address();
    window.addEventListener("pagehide", this.leaving);
  }

  /* -- data ---------------------------------------------------------------------------------------------------------- */

  show(data) {
    const fresh = !this.data || this.data.id !== data.id;
    const redrawn = fresh || this.data.svg !== data.svg;
    const commanded = Boolean(this.data) && data.command !== this.data.command;
    const told = fresh || JSON.stringify([data.reports, data.notes]) !== JSON.stringify([this.data.reports, this.data.notes]);
    const kept = this.walk ? this.walk.at : 0;
    const same = this.data && this.data.place === data.place;
    this.data = data;
    if (fresh) {
      for (const name of ["sum", "said"]) {
        this.find(name).style.minHeight = "";
        delete this.find(name).dataset.most;
      }
      this.pause();
      this.closeGuess();
      const parsed = typeof data.walk === "string" ? JSON.parse(data.walk) : data.walk;
      this.walk = new Walk(parsed);
      this.walk.alias = data.alias || {};
      this.source.show(parsed.source || "", parsed.error);
      this.values.show(this.walk);
      this.steps.show(this.walk);
      this.showPasses();
      this.find("slider").max = String(Math.max(1, this.walk.length));
      this.find("slider").style.setProperty("--stretches", this.stretches());
    }
    if (redrawn) {
      this.walk.alias = data.alias || {};
      this.picture.show(data.svg, data.alias);
    }
    if (told) this.showTabs();
    if (fresh || redrawn) {
      const start = commanded || (fresh && (!same || kept >= this.walk.length)) ? data.step : kept;
      const to = Math.min(Math.max(start || 0, 0), this.walk.length - 1);
      this.walk.go(-1);
      this.walk.go(to);
      this.everything();
    } else if (commanded) {
      this.go(Math.min(Math.max(data.step, 0), this.walk.length - 1));
    }
    /* What the server wrote into the address may be older than the step shown. */
    if (data.address && new URL(window.location.href).searchParams.has("step")) this.address();
  }

  /* Write the whole state, when there is a new picture. */
  everything() {
    const { walk, picture } = this;
    for (const id of picture.parts.keys()) {
      const suffix = id.slice(id.indexOf("-") + 1);
      if (suffix in START_TEXT) {
        const owner = id.slice(0, id.indexOf("-"));
        if (suffix === "label" && walk.edges.get(owner) && walk.edges.get(owner).how) continue;
        picture.write(id, walk.state(owner) || suffix !== "grad" ? walk.text(id) : "");
      } else if (!id.includes("-")) picture.setState(id, walk.state(id));
    }
    for (const node of Object.keys(picture.alias)) this.foldState(node);
    for (const slot of this.values.cells.keys()) this.values.write(slot, walk);
    if (walk.frame) this.source.mark(walk.frame.about, walk.frame.line);
    this.after(false);
  }

  /* A collapsed part shows the state of what last happened inside it. */
  foldState(node) {
    const box = this.picture.alias[node];
    if (box && this.walk.state(node)) this.picture.setState(box, this.walk.state(node));
  }

  /* -- stepping ------------------------------------------------------------------------------------------------------ */

  go(to, quiet) {
    if (!this.walk.length) return;
    const target = Math.min(Math.max(to, 0), this.walk.length - 1);
    if (!quiet) {
      this.closeGuess();
      this.verdict("");
    }
    if (target === this.walk.at) return;
    const { walk, picture, values } = this;
    const dirty = walk.go(target);
    /* First what reads the layout, then what changes it. */
    this.source.mark(walk.frame.about, walk.frame.line);
    for (const slot of dirty.texts) {
      picture.write(slot, walk.text(slot));
      values.write(slot, walk);
    }
    for (const id of dirty.states) {
      picture.setState(id, walk.state(id));
      if (picture.alias[id]) this.foldState(id);
      for (const suffix of ["value", "grad", "dotgrad"]) {
        values.write(`${id}-${suffix}`, walk);
        if (suffix !== "value" && picture.parts.has(`${id}-${suffix}`)) picture.write(`${id}-${suffix}`, walk.text(`${id}-${suffix}`));
      }
    }
    this.after(true);
  }

  after(moved) {
    const { walk, picture } = this;
    const { frame } = walk;
    if (!frame) {
      this.find("said").textContent = "Nothing was recorded: this program made no tensors.";
      this.find("where").textContent = "An empty walk";
      this.find("sum").replaceChildren();
      return;
    }
    const focus = frame.focus || [];
    const contributes = frame.kind === "contribute";
    const roles = contributes
      ? [[focus[0], "taker"], [focus[1], "flow"], [focus[2], "giver"]]
      : focus.map((id) => [id, frame.pass ? "taker" : frame.kind === "forward" ? "made" : "lit"]);
    picture.light(roles);
    picture.travel(contributes ? focus[1] : "", this.still.matches || !moved);
    picture.keep(focus.filter((id) => id.startsWith("n")).slice(0, 4));
    this.find("sum").replaceChildren(...sumCards(walk));
    this.find("said").textContent = frame.text;
    const stretch = walk.stretch(walk.at);
    const where = `Step ${walk.at + 1} of ${walk.length}`;
    this.find("where").textContent = stretch ? `${where} · ${stretch.title}` : where;
    this.find("count").textContent = `${walk.at + 1} / ${walk.length}`;
    const slider = this.find("slider");
    slider.value = String(walk.at + 1);
    slider.setAttribute("aria-valuetext", this.find("where").textContent);
    slider.style.setProperty("--done", `${walk.length > 1 ? (walk.at / (walk.length - 1)) * 100 : 100}%`);
    if (stretch) this.find("passes").value = String(stretch.first);
    this.region.dataset.part = stretch ? stretch.part : "";
    this.region.dataset.kind = frame.kind;
    this.enable("previous", walk.at > 0);
    this.enable("first", walk.at > 0);
    this.enable("next", walk.at < walk.length - 1);
    this.enable("last", walk.at < walk.length - 1);
    this.values.mark(focus);
    this.steps.mark(walk.at, this.panel("steps"));
    if (this.tab === "node") this.showNode();
    if (moved) this.report();
  }

  /* A button at its end keeps the focus: it is marked, not disabled. */
  enable(name, on) {
    this.region.querySelector(`[data-do="${name}"]`).setAttribute("aria-disabled", String(!on));
  }

  next() {
    const coming = this.walk.frames[this.walk.at + 1];
    if (this.asking) this.reveal();
    else if (this.predicting && coming && coming.predict) this.ask(coming.predict);
    else this.go(this.walk.at + 1);
  }

  goLine(line) {
    const step = this.walk.stepOfLine(line);
    if (step >= 0) this.go(step);
  }

  report() {
    clearTimeout(this.reporting);
    clearTimeout(this.addressing);
    const since = performance.now() - (this.addressed || -Infinity);
    if (since > ADDRESS_AFTER) this.address();
    else this.addressing = setTimeout(() => this.address(), ADDRESS_AFTER - since);
    this.reporting = setTimeout(() => {
      if (this.playing) return;
      if (this.host && this.data.report) this.host("step", this.walk.at);
    }, REPORT_AFTER);
  }

  /* The address follows at once, so that a reload stays at the step even when the server has not been told yet. Browsers
     refuse too many changes in a short time, so a run of steps is noted a few times a second. */
  address() {
    if (!this.data || !this.data.address || !this.walk.length) return;
    this.addressed = performance.now();
    const url = new URL(window.location.href);
    if (url.searchParams.get("step") === String(this.walk.at + 1)) return;
    url.searchParams.set("step", String(this.walk.at + 1));
    window.history.replaceState(window.history.state, "", url);
  }

  /* -- playing ------------------------------------------------------------------------------------------------------- */

  togglePlay() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.walk.length < 2) return;
    if (this.walk.at === this.walk.length - 1) this.go(0);
    const turn = () => {
      if (this.walk.at >= this.walk.length - 1) {
        this.pause();
        return;
      }
      const coming = this.walk.frames[this.walk.at + 1];
      if (this.predicting && coming.predict) {
        this.pause();
        this.next();
        return;
      }
      this.go(this.walk.at + 1);
      this.playing = setTimeout(turn, PLAY_INTERVAL / Number(this.find("speed").value));
    };
    this.playing = setTimeout(turn, 150);
    this.namePlay();
  }

  pause() {
    if (!this.playing) return;
    clearTimeout(this.playing);
    this.playing = null;
    this.namePlay();
    this.report();
  }

  namePlay() {
    const button = this.find("play");
    button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    button.title = this.playing ? "Pause (Space)" : "Play (Space)";
    button.classList.toggle("playing", Boolean(this.playing));
  }

  /* -- predicting ---------------------------------------------------------------------------------------------------- */

  togglePredict() {
    this.predicting = !this.predicting;
    this.find("predict").setAttribute("aria-pressed", String(this.predicting));
    this.region.classList.toggle("predicting", this.predicting);
    this.score = { right: 0, asked: 0 };
    this.closeGuess();
    this.verdict(this.predicting ? "Before a number is shown you are asked for it. Press Next step." : "");
  }

  ask(predict) {
    this.asking = predict;
    this.find("question").textContent = predict.question;
    this.find("guess").hidden = false;
    this.find("answer").value = "";
    this.find("answer").focus({ preventScroll: true });
    this.verdict("");
  }

  check() {
    const typed = this.find("answer").value.trim().replace(",", ".").replace("−", "-");
    const guess = typed === "" ? NaN : Number(typed);
    if (Number.isNaN(guess)) {
      this.verdict("Type a number, such as 6 or -0.5.");
      return;
    }
    const { answer } = this.asking;
    const right = Math.abs(guess - answer) <= Math.max(0.005, Math.abs(answer) * 0.005);
    this.score.asked += 1;
    this.score.right += right ? 1 : 0;
    const shown = String(Number(answer.toPrecision(5)));
    this.finishGuess(`${right ? `Right: ${shown}.` : `Not quite: you said ${typed}, it is ${shown}.`} ${this.score.right} of ${this.score.asked} right so far.`, right);
  }

  reveal() {
    if (this.asking) this.finishGuess(`It is ${Number(this.asking.answer.toPrecision(5))}.`, null);
  }

  finishGuess(words, right) {
    const hadFocus = this.find("guess").contains(this.root.activeElement || document.activeElement);
    this.closeGuess();
    this.go(this.walk.at + 1, true);
    this.verdict(words, right);
    if (hadFocus) this.region.querySelector('[data-do="next"]').focus({ preventScroll: true });
  }

  closeGuess() {
    this.asking = null;
    this.find("guess").hidden = true;
  }

  verdict(words, right) {
    const place = this.find("verdict");
    place.hidden = !words;
    place.textContent = words;
    place.dataset.right = right === true ? "yes" : right === false ? "no" : "";
  }

  /* -- keys ---------------------------------------------------------------------------------------------------------- */

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    const kind = target.localName;
    if (kind === "select" || kind === "textarea" || (kind === "input" && target.type !== "range")) {
      if (event.key === "Escape" && this.asking) {
        this.closeGuess();
        this.region.focus({ preventScroll: true });
      }
      return;
    }
    const keys = {
      ArrowRight: () => this.next(),
      ArrowLeft: this.actions.previous,
      Home: this.actions.first,
      End: this.actions.last,
      " ": kind === "button" || kind === "summary" ? null : this.actions.play,
      "+": this.actions["zoom-in"],
      "=": this.actions["zoom-in"],
      "-": this.actions["zoom-out"],
      0: this.actions.fit,
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /* -- panels -------------------------------------------------------------------------------------------------------- */

  showPasses() {
    const select = this.find("passes");
    select.replaceChildren(
      ...this.walk.passes.map((pass) => make("option", { value: pass.first, text: `${pass.title}, from step ${pass.first + 1}` })),
    );
    this.find("passes-label").hidden = this.walk.passes.length < 3;
  }

  stretches() {
    const last = Math.max(1, this.walk.length - 1);
    const parts = this.walk.passes.map(
      (pass) => `var(--${pass.part}) ${((pass.first - 0.5) / last) * 100}% ${((pass.last + 0.5) / last) * 100}%`,
    );
    return parts.length ? `linear-gradient(to right, ${parts.join(", ")})` : "none";
  }

  panel(name) {
    return this.region.querySelector(`[data-panel="${name}"]`);
  }

  showTabs() {
    const names = Object.keys(TAB_NAMES).filter((name) => name !== "doctor" || this.data.reports);
    if (!names.includes(this.tab)) this.tab = "values";
    const id = this.region.dataset.unique || (this.region.dataset.unique = `s${Math.random().toString(36).slice(2, 8)}`);
    this.find("tabs").replaceChildren(
      ...names.map((name) => {
        const count = name === "doctor" && this.data.reports.length ? ` (${this.data.reports.length})` : "";
        const tab = make("button", {
          type: "button",
          role: "tab",
          id: `${id}-tab-${name}`,
          "aria-controls": `${id}-panel-${name}`,
          "data-tab": name,
          text: TAB_NAMES[name] + count,
        });
        tab.addEventListener("click", () => this.openTab(name));
        const panel = this.panel(name);
        panel.id = `${id}-panel-${name}`;
        panel.setAttribute("aria-labelledby", tab.id);
        return tab;
      }),
    );
    for (const name of Object.keys(TAB_NAMES)) this.panel(name).hidden = true;
    this.find("doctor").replaceChildren(...doctorReports(this.data.reports || [], (report) => this.goReport(report), this.data.address));
    const notes = [...(this.data.notes || [])];
    if (this.data.walk.includes("‖")) notes.push("2×3 ‖2.42‖ stands for an array of shape 2×3 with Euclidean norm 2.42.");
    this.find("notes").replaceChildren(...notes.map((note) => make("p", { text: note })));
    const faulty = (this.data.reports || []).some((report) => report.severity === "fault");
    this.openTab(faulty ? "doctor" : this.tab);
  }

  openTab(name) {
    this.tab = name;
    for (const tab of this.find("tabs").children) {
      const open = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(open));
      tab.tabIndex = open ? 0 : -1;
      this.panel(tab.dataset.tab).hidden = !open;
    }
    if (name === "node") this.showNode();
    if (name === "steps" && this.walk) {
      this.steps.fill();
      this.steps.mark(this.walk.at, this.panel("steps"));
    }
  }

  pick(id) {
    if (!this.walk.nodes.has(id)) {
      if (this.host && this.data.report) this.host("open", id);
      return;
    }
    this.picked = id;
    this.picture.select(id);
    this.picture.keep([id]);
    this.openTab("node");
    if (this.host && this.data.report) this.host("node", id);
  }

  showNode() {
    if (!this.walk) return;
    this.find("node").replaceChildren(...nodeDetails(this.walk, this.picked, (step) => this.go(step)));
  }

  goReport(report) {
    if (report.node && this.walk.nodes.has(report.node)) {
      this.picture.select(report.node);
      this.picture.keep([report.node]);
    }
    const step = Number.isInteger(report.step) ? report.step : report.line ? this.walk.stepOfLine(report.line) : -1;
    if (step >= 0) this.go(step);
    else if (report.line) this.source.mark(report.line, report.line);
  }

  toggleFit() {
    const { x, y, k } = this.picture.view;
    this.picture.fit();
    const now = this.picture.view;
    if (Math.abs(now.k - k) < 0.001 && Math.abs(now.x - x) < 2 && Math.abs(now.y - y) < 2) this.picture.whole();
  }

  async save(kind) {
    this.find("menu").open = false;
    const name = (this.data.title || "walk").replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "walk";
    const blob =
      kind === "png"
        ? await this.picture.png()
        : new Blob([kind === "dot" ? this.data.dot : this.picture.standalone()], {
            type: kind === "dot" ? "text/vnd.graphviz" : "image/svg+xml",
          });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${name}.${kind}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  destroy() {
    clearTimeout(this.playing);
    clearTimeout(this.reporting);
    clearTimeout(this.addressing);
    window.removeEventListener("pagehide", this.leaving);
    this.widths.disconnect();
    this.heights.disconnect();
    this.picture.destroy();
  }
}

const mounted = new WeakMap();

function mount({ data, parentElement, setStateValue }) {
  let stepper = mounted.get(parentElement);
  if (!stepper) {
    stepper = new Stepper(parentElement, (name, value) => setStateValue && setStateValue(name, value));
    mounted.set(parentElement, stepper);
  }
  stepper.host = (name, value) => setStateValue && setStateValue(name, value);
  stepper.show(data);
  return () => {
    stepper.destroy();
    mounted.delete(parentElement);
  };
}

export default mount;
