/* The stepper: wires walk, picture and panels to the controls. A step never asks the server; it is told of it afterwards. */

const REPORT_AFTER = 350;
const BROAD = 860;

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
    this.tabs = new Tabs(this.find("tabs"), (name) => this.panel(name), (name) => this.opened(name));
    this.address = new StepAddress();
    this.player = new Player(this.find("play"), this.find("speed"), () => this.advance(), () => this.report());
    this.predict = new Predict(this.find, () => this.move(this.walk.at + 1), () => this.button("next").focus({ preventScroll: true }));
    this.actions = {
      first: () => this.go(0),
      previous: () => this.go(this.walk.at - 1),
      next: () => this.next(),
      last: () => this.go(this.walk.length - 1),
      play: () => this.play(),
      predict: () => this.togglePredict(),
      reveal: () => this.predict.show(),
      "zoom-in": () => this.picture.zoom(1.25),
      "zoom-out": () => this.picture.zoom(0.8),
      fit: () => this.picture.toggleFit(),
      "save-svg": () => this.save("svg"),
      "save-png": () => this.save("png"),
      "save-dot": () => this.save("dot"),
    };
    this.packed = new Packed();
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
    const menu = this.find("menu");
    menu.addEventListener("focusout", (event) => {
      if (!menu.contains(event.relatedTarget)) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
    this.widths = new ResizeObserver(() => this.resized());
    this.widths.observe(this.region);
    /* Beside the picture, what grows with the step keeps its largest height, so that the buttons stay where they are. */
    this.heights = new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of this.broad ? entries : []) {
        const height = Math.ceil(borderBoxSize[0].blockSize);
        if (height > (parseFloat(target.style.getPropertyValue("--most")) || 0)) target.style.setProperty("--most", `${height}px`);
      }
    });
    for (const part of this.growing()) this.heights.observe(part);
  }

  growing() {
    return [this.find("sum"), this.find("said")];
  }

  resized() {
    const broad = this.region.clientWidth >= BROAD;
    if (broad === this.broad) return;
    this.broad = broad;
    this.region.classList.toggle("broad", broad);
    for (const part of this.growing()) part.style.removeProperty("--most");
  }

  /* -- data ---------------------------------------------------------------------------------------------------------- */

  show(data) {
    const fresh = !this.data || this.data.id !== data.id;
    const redrawn = fresh || this.data.svg !== data.svg;
    const commanded = Boolean(this.data) && data.command !== this.data.command;
    const told = fresh || JSON.stringify([data.reports, data.notes]) !== JSON.stringify([this.data.reports, this.data.notes]);
    const kept = this.walk ? this.walk.at : 0;
    const same = this.data && this.data.place === data.place;
    const ahead = this.data || !data.address ? null : this.address.ahead();
    this.data = data;
    if (fresh) {
      for (const part of this.growing()) part.style.removeProperty("--most");
      this.player.stop();
      this.predict.close();
      const parsed = typeof data.walk === "string" ? JSON.parse(data.walk) : data.walk;
      this.walk = new Walk(parsed);
      this.walk.alias = data.alias || {};
      this.region.classList.toggle("arrays", this.walk.frames.some((frame) => frame.product && frame.product.rule));
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
      const asked = ahead === null ? data.step : ahead - 1;
      const start = commanded || (fresh && (!same || kept >= this.walk.length)) ? asked : kept;
      const to = Math.min(Math.max(start || 0, 0), this.walk.length - 1);
      this.walk.go(-1);
      this.walk.go(to);
      this.everything();
      if (ahead !== null) this.report();
    } else if (commanded) {
      this.go(Math.min(Math.max(data.step, 0), this.walk.length - 1));
    }
    /* What the server wrote into the address may be older than the step shown. */
    if (data.address && new URL(window.location.href).searchParams.has("step")) this.write();
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

  /* Somebody chose a step: playing and asking end. */
  go(to) {
    this.player.stop();
    this.predict.close();
    this.predict.say("");
    this.move(to);
  }

  move(to) {
    if (!this.walk.length) return;
    const target = Math.min(Math.max(to, 0), this.walk.length - 1);
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
    if (this.tabs.open === "node") this.showNode();
    if (moved) this.report();
  }

  button(name) {
    return this.region.querySelector(`[data-do="${name}"]`);
  }

  /* A button at its end keeps the focus: it is marked, not disabled. */
  enable(name, on) {
    this.button(name).setAttribute("aria-disabled", String(!on));
  }

  /* The question to ask before the next step, in predict mode. */
  coming() {
    const frame = this.walk.frames[this.walk.at + 1];
    return this.predict.on && frame && frame.predict;
  }

  next() {
    const question = this.coming();
    if (this.predict.asking) this.predict.show();
    else if (question) {
      this.player.stop();
      this.predict.ask(question);
    } else this.go(this.walk.at + 1);
  }

  play() {
    if (this.walk.length < 2) return;
    if (this.walk.at === this.walk.length - 1) this.go(0);
    this.player.toggle();
  }

  advance() {
    if (this.coming()) this.next();
    else this.move(this.walk.at + 1);
    return !this.predict.asking && this.walk.at < this.walk.length - 1;
  }

  togglePredict() {
    this.predict.toggle();
    this.region.classList.toggle("predicting", this.predict.on);
  }

  goLine(line) {
    const step = this.walk.stepOfLine(line);
    if (step >= 0) this.go(step);
  }

  /* The address follows at once, the server when the steps have come to rest. */
  report() {
    clearTimeout(this.reporting);
    this.write();
    this.reporting = setTimeout(() => {
      if (!this.player.timer && this.host && this.data.report) this.host("step", this.walk.at);
    }, REPORT_AFTER);
  }

  write() {
    if (this.data.address && this.walk.length) this.address.put(this.walk.at + 1);
  }

  /* -- keys ---------------------------------------------------------------------------------------------------------- */

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    const kind = target.localName;
    if (kind === "select" || kind === "textarea" || (kind === "input" && target.type !== "range")) return;
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
    const reports = this.data.reports || [];
    const names = Object.keys(TAB_NAMES).filter((name) => name !== "doctor" || this.data.reports);
    this.tabs.offer(names, { doctor: reports.length });
    this.find("doctor").replaceChildren(...doctorReports(reports, (report) => this.goReport(report), this.data.address));
    const notes = [...(this.data.notes || [])];
    if (this.walk.summaries) notes.push("2×3 ‖2.42‖ stands for an array of shape 2×3 with Euclidean norm 2.42.");
    this.find("notes").replaceChildren(...notes.map((note) => make("p", { text: note })));
    const faulty = reports.some((report) => report.severity === "fault");
    this.tabs.show(faulty ? "doctor" : names.includes(this.tabs.open) ? this.tabs.open : "values");
  }

  opened(name) {
    if (name === "node") this.showNode();
    if (name === "steps" && this.walk) {
      this.steps.fill();
      this.steps.mark(this.walk.at);
      if (this.steps.now) this.steps.bring(this.panel("steps"), 4);
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
    this.tabs.show("node");
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
    this.packed.stop();
    clearTimeout(this.reporting);
    clearTimeout(this.player.timer);
    this.address.stop();
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
  stepper.packed.show(data, (whole) => stepper.show(whole));
  return () => {
    stepper.destroy();
    mounted.delete(parentElement);
  };
}

export default mount;
