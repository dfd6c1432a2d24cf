// A graph picture whose nodes can be clicked. The radio buttons beneath it are the same choice for keyboard and
// assistive technology, so the picture itself is one image to them.
// data: {svg, choices: [id, ...], picked, label}. State "clicked": {id, count}: the last click, each with another count.

const READABLE = 0.6
const drawn = new WeakMap()

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".graph")
  if (drawn.get(root) !== data.svg) {
    drawn.set(root, data.svg)
    const document_ = new DOMParser().parseFromString(data.svg, "image/svg+xml")
    root.replaceChildren(document.importNode(document_.documentElement, true))
    const svg = root.firstElementChild
    svg.setAttribute("role", "img")
    svg.setAttribute("aria-label", data.label)
    for (const title of svg.querySelectorAll("title")) title.remove()
    // Never too small to read: a wide picture scrolls instead, by the keyboard too.
    svg.style.minWidth = `${READABLE * Number(svg.getAttribute("width"))}px`
    root.tabIndex = root.scrollWidth > root.clientWidth ? 0 : -1
  }
  for (const id of data.choices) {
    const node = root.querySelector(`[id="${id}"]`)
    if (!node) continue
    node.classList.add("pickable")
    node.classList.toggle("picked", id === data.picked)
    node.onclick = () => setStateValue("clicked", { id, count: Date.now() })
  }
}
