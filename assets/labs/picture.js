// A graph picture, some of its nodes marked. data: {svg, marked: [ids], label}.

const SMALLEST = 0.62
const drawn = new WeakMap()

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".picture")
  if (drawn.get(root) !== data.svg) {
    drawn.set(root, data.svg)
    const parsed = new DOMParser().parseFromString(data.svg, "image/svg+xml")
    root.replaceChildren(document.importNode(parsed.documentElement, true))
    for (const title of root.querySelectorAll("title")) title.remove()
    // A wide graph scrolls rather than shrink to letters nobody can read.
    const least = Math.round(SMALLEST * Number(root.firstElementChild.getAttribute("width")))
    root.firstElementChild.style.minWidth = `${least}px`
    root.tabIndex = 0
    root.setAttribute("role", "group")
  }
  const svg = root.firstElementChild
  svg.setAttribute("role", "img")
  svg.setAttribute("aria-label", data.label)
  root.setAttribute("aria-label", "Graph")
  const marked = new Set(data.marked)
  for (const node of root.querySelectorAll("g.node")) node.classList.toggle("marked", marked.has(node.id))
}
