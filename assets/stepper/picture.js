/* The graph on the page: texts and states by id, what is lit, the travelling gradient, zoom and pan, saving. */

const LEAST_ZOOM = 0.12;
const MOST_ZOOM = 3;
const READABLE_ZOOM = 0.68;
const NARROW = 560;
const SVG_NS = "http://www.w3.org/2000/svg";

class Picture {
  constructor(canvas, onNode) {
    this.canvas = canvas;
    this.onNode = onNode;
    this.parts = new Map();
    this.lit = [];
    this.view = { x: 0, y: 0, k: 1 };
    this.pointers = new Map();
    this.moved = 0;
    this.listen();
    this.resizing = new ResizeObserver(() => this.resized());
    this.resizing.observe(canvas);
  }

  show(svgText, alias) {
    const parsed = new DOMParser().parseFromString(svgText, "image/svg+xml").documentElement;
    this.svg = document.importNode(parsed, true);
    this.svg.setAttribute("role", "img");
    this.svg.setAttribute("aria-label", "Graph of the computation. The same is told in the table of all steps.");
    this.all = this.svg.querySelector(".all");
    this.alias = alias || {};
    this.parts = new Map();
    this.boxes = new Map();
    for (const part of this.svg.querySelectorAll("[id]")) {
      this.parts.set(part.id, part);
      const text = part.firstChild;
      if (part.localName === "text" && !text) part.append("");
    }
    this.bead = document.createElementNS(SVG_NS, "circle");
    this.bead.setAttribute("class", "bead");
    this.bead.setAttribute("r", "6");
    this.all.append(this.bead);
    /* A soft ring around what is lit. Filters would do it too, but repainting them is slow. */
    this.halos = [0, 1].map(() => {
      const halo = document.createElementNS(SVG_NS, "rect");
      this.all.prepend(halo);
      return halo;
    });
    const [left, top] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.origin = { left, top };
    this.size = { width: Number(this.svg.getAttribute("width")), height: Number(this.svg.getAttribute("height")) };
    this.canvas.replaceChildren(this.svg);
    this.lit = [];
    this.kept = null;
    this.selected = null;
    this.width = 0;
    this.resized();
  }

  part(id) {
    return this.parts.get(this.alias[id] || id);
  }

  write(slot, text) {
    const part = this.parts.get(slot);
    if (!part) return;
    if (part.firstChild) part.firstChild.nodeValue = text;
    else part.append(text);
  }

  setState(id, state) {
    const part = this.parts.get(id);
    if (part) part.dataset.state = state;
  }

  light(roles) {
    for (const [part, role] of this.lit) part.classList.remove(role);
    this.lit = [];
    let rings = 0;
    for (const [id, role] of roles) {
      const part = this.part(id);
      if (!part) continue;
      part.classList.add(role);
      this.lit.push([part, role]);
      if (rings < this.halos.length && part.classList.contains("node")) this.ring(this.halos[rings++], part, role);
    }
    for (const halo of this.halos.slice(rings)) halo.setAttribute("class", "halo");
  }

  ring(halo, part, role) {
    const box = this.box(part.id);
    const { left, top } = this.origin;
    halo.setAttribute("class", `halo ${role}`);
    halo.setAttribute("x", box.x + left);
    halo.setAttribute("y", box.y + top);
    halo.setAttribute("width", box.width);
    halo.setAttribute("height", box.height);
    halo.setAttribute("rx", part.classList.contains("leaf") ? 16 : 6);
  }

  select(id) {
    if (this.selected) this.selected.classList.remove("selected");
    this.selected = id ? this.part(id) : null;
    if (this.selected) this.selected.classList.add("selected");
  }

  /* The gradient runs along the edge against its arrow. */
  travel(edge, still) {
    if (this.running) this.running.cancel();
    this.running = null;
    const part = this.parts.get(edge);
    if (!part || still || !this.bead.animate) return;
    const way = part.querySelector(".line").getAttribute("d");
    this.bead.style.offsetPath = `path("${way}")`;
    this.running = this.bead.animate(
      [
        { offsetDistance: "100%", opacity: 1 },
        { offsetDistance: "2%", opacity: 1, offset: 0.92 },
        { offsetDistance: "0%", opacity: 0 },
      ],
      { duration: 750, easing: "cubic-bezier(.4,0,.3,1)" },
    );
  }

  /* -- zoom and pan ------------------------------------------------------------------------------------------------ */

  resized() {
    const width = this.canvas.clientWidth;
    if (!this.svg || !width || width === this.width) return;
    this.width = width;
    this.fit();
  }

  fit() {
    const whole = this.width / this.size.width;
    const k = Math.min(1.25, Math.max(whole, Math.min(READABLE_ZOOM, 1)));
    const height = Math.min(Math.max(this.size.height * k, 150), this.width < NARROW ? 320 : 460);
    this.canvas.style.height = `${Math.ceil(height)}px`;
    this.height = Math.ceil(height);
    const tall = this.size.height * k > height + 1 ? Math.max(height / this.size.height, Math.min(k, 0.62)) : k;
    this.view.k = tall;
    this.view.x = Math.max(0, (this.width - this.size.width * tall) / 2);
    this.view.y = Math.max(0, (height - this.size.height * tall) / 2);
    this.place();
    if (this.kept) this.keep(this.kept);
  }

  whole() {
    const k = Math.min(this.width / this.size.width, this.height / this.size.height, 1.25);
    this.view = {
      k: Math.max(k, 0.02),
      x: (this.width - this.size.width * k) / 2,
      y: (this.height - this.size.height * k) / 2,
    };
    this.place();
  }

  /* The readable size, or when that is shown already, the whole graph. */
  toggleFit() {
    const { x, y, k } = this.view;
    this.fit();
    const now = this.view;
    if (Math.abs(now.k - k) < 0.001 && Math.abs(now.x - x) < 2 && Math.abs(now.y - y) < 2) this.whole();
  }

  place() {
    const { x, y, k } = this.view;
    this.svg.style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) scale(${k.toFixed(4)})`;
    /* Sides on which there is more than is in sight. */
    const more = [
      ["left", x < -1],
      ["right", x + this.size.width * k > this.width + 1],
      ["top", y < -1],
      ["bottom", y + this.size.height * k > this.height + 1],
    ];
    const sides = more.flatMap(([side, there]) => (there ? [side] : [])).join(" ");
    if (this.canvas.dataset.more !== sides) this.canvas.dataset.more = sides;
  }

  zoom(factor, cx = this.width / 2, cy = this.height / 2) {
    const k = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.view.k * factor));
    const real = k / this.view.k;
    this.view = { k, x: cx - (cx - this.view.x) * real, y: cy - (cy - this.view.y) * real };
    this.place();
  }

  pan(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.place();
  }

  box(id) {
    const part = this.part(id);
    if (!part) return null;
    if (!this.boxes.has(part.id)) {
      const shape = part.querySelector("rect.box:last-of-type");
      const { left, top } = this.origin;
      const number = (name) => Number(shape.getAttribute(name));
      /* Reading a rect's attributes needs no layout, unlike getBBox. */
      const found = shape
        ? { x: number("x"), y: number("y"), width: number("width"), height: number("height") }
        : (part.querySelector(".box") || part).getBBox();
      this.boxes.set(part.id, { x: found.x - left, y: found.y - top, width: found.width, height: found.height });
    }
    return this.boxes.get(part.id);
  }

  /* Move the view as little as needed to have these parts in sight (the first one when not all fit). */
  keep(ids) {
    this.kept = ids;
    if (!this.width) return;
    if (this.size.width * this.view.k <= this.width + 1 && this.size.height * this.view.k <= this.height + 1) return;
    const found = ids.map((id) => this.box(id)).filter(Boolean);
    if (!found.length) return;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const box of found) {
      const grown = [
        Math.min(left, box.x),
        Math.min(top, box.y),
        Math.max(right, box.x + box.width),
        Math.max(bottom, box.y + box.height),
      ];
      if (left !== Infinity && (grown[2] - grown[0]) * this.view.k > this.width) continue;
      if (left !== Infinity && (grown[3] - grown[1]) * this.view.k > this.height) continue;
      [left, top, right, bottom] = grown;
    }
    const { k } = this.view;
    const before = `${this.view.x},${this.view.y}`;
    if (this.size.width * k > this.width + 1) this.view.x = within(this.view.x, left * k, right * k, this.width);
    if (this.size.height * k > this.height + 1) this.view.y = within(this.view.y, top * k, bottom * k, this.height);
    if (before !== `${this.view.x},${this.view.y}`) this.place();
  }

  center(id) {
    const box = this.box(id);
    if (!box) return;
    this.view.x = this.width / 2 - (box.x + box.width / 2) * this.view.k;
    this.view.y = this.height / 2 - (box.y + box.height / 2) * this.view.k;
    this.place();
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) {
          event.preventDefault();
          const frame = canvas.getBoundingClientRect();
          this.zoom(Math.exp(-event.deltaY / 250), event.clientX - frame.left, event.clientY - frame.top);
        } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
          event.preventDefault();
          this.pan(-(event.deltaX || event.deltaY), 0);
        }
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => {
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = this.pointers.get(event.pointerId);
      if (!last) return;
      const now = { x: event.clientX, y: event.clientY };
      this.moved += Math.abs(now.x - last.x) + Math.abs(now.y - last.y);
      if (this.moved > 5 && !canvas.hasPointerCapture(event.pointerId)) canvas.setPointerCapture(event.pointerId);
      if (this.pointers.size === 2) {
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
        const frame = canvas.getBoundingClientRect();
        const before = Math.hypot(last.x - other.x, last.y - other.y) || 1;
        const after = Math.hypot(now.x - other.x, now.y - other.y) || 1;
        this.zoom(after / before, (now.x + other.x) / 2 - frame.left, (now.y + other.y) / 2 - frame.top);
      } else if (this.moved > 5) {
        this.pan(now.x - last.x, now.y - last.y);
      }
      this.pointers.set(event.pointerId, now);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    }
    canvas.addEventListener("click", (event) => {
      const node = event.target.closest(".node");
      if (node && this.moved <= 5) this.onNode(node.id);
    });
  }

  /* -- saving ------------------------------------------------------------------------------------------------------ */

  /* The picture as it looks now, with its colours written in, so that it stands on its own. */
  standalone() {
    const copy = this.svg.cloneNode(true);
    copy.removeAttribute("style");
    const wanted = ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "font-family", "font-weight", "display"];
    const originals = [this.svg, ...this.svg.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((element, index) => {
      const style = getComputedStyle(originals[index]);
      for (const name of wanted) element.setAttribute(name, style.getPropertyValue(name));
      element.removeAttribute("class");
      element.removeAttribute("style");
      element.removeAttribute("filter");
    });
    for (const passing of copy.querySelectorAll("circle")) passing.remove();
    const ground = document.createElementNS(SVG_NS, "rect");
    const [x, y, width, height] = copy.getAttribute("viewBox").split(" ");
    for (const [name, value] of Object.entries({ x, y, width, height, fill: this.ground() })) ground.setAttribute(name, value);
    copy.insertBefore(ground, copy.firstChild);
    return new XMLSerializer().serializeToString(copy);
  }

  ground() {
    const colour = getComputedStyle(this.canvas).getPropertyValue("--ground").trim();
    return colour || "#ffffff";
  }

  async png() {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.standalone())}`;
    await image.decode();
    const scale = Math.min(2, 8000 / Math.max(this.size.width, this.size.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(this.size.width * scale);
    canvas.height = Math.ceil(this.size.height * scale);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => {
      canvas.toBlob(resolve, "image/png");
    });
  }

  destroy() {
    this.resizing.disconnect();
  }
}

/* The shift that brings [low, high] into [0, size], moving little. */
function within(shift, low, high, size) {
  const margin = Math.min(24, size * 0.06);
  if (high - low > size - 2 * margin) return (size - (high - low)) / 2 - low;
  if (shift + low < margin) return margin - low;
  if (shift + high > size - margin) return size - margin - high;
  return shift;
}
