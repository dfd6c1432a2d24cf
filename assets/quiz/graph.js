// A graph picture whose nodes can be clicked. The radio buttons beneath it are the same choice for keyboard and
// assistive technology, so the picture itself is one image to them.
// data: {svg, choices: [id, ...], picked, label}. State "clicked": {id, count}: the last click, each with another count.

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
  }
  for (const id of data.choices) {
    const node = root.querySelector(`[id="${id}"]`)
    if (!node) continue
    node.classList.add("pickable")
    node.classList.toggle("picked", id === data.picked)
    node.onclick = () => setStateValue("clicked", { id, count: Date.now() })
  }
}
