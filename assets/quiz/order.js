// Lines of code to be put in order: by buttons (pointer, keyboard, screen reader) or by dragging.
// data: {lines: [[id, text], ...] in the order to show, label}. State "order": the ids as they stand.

const states = new WeakMap()

function text(line) {
  return line[1]
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".place-for-order")
  let state = states.get(root)
  if (!state) {
    const list = document.createElement("ol")
    list.className = "order"
    const said = document.createElement("div")
    said.className = "said"
    said.setAttribute("role", "status")
    root.append(list, said)
    state = { list, said, lines: [], shown: "", reported: [], dragged: null }
    states.set(root, state)
  }
  state.report = setStateValue
  state.list.setAttribute("aria-label", data.label)
  const shown = JSON.stringify(data.lines)
  if (shown === state.shown) return
  state.shown = shown
  const echo = state.reported.lastIndexOf(shown)
  if (echo >= 0) {
    state.reported.splice(0, echo + 1) // our own move coming back, perhaps overtaken by the next one
    return
  }
  state.reported = []
  state.lines = data.lines.map((line) => [...line])
  draw(state)
}

function draw(state) {
  const { list, lines } = state
  const known = new Map([...list.children].map((item) => [item.dataset.id, item]))
  lines.forEach((line, index) => {
    let item = known.get(line[0])
    if (!item || item.querySelector("code").textContent !== text(line)) {
      item?.remove()
      item = build(state, line)
    }
    known.delete(line[0])
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null)
    item.querySelector(".place").textContent = `${index + 1}.`
    const [up, down] = item.querySelectorAll("button")
    up.setAttribute("aria-disabled", String(index === 0))
    down.setAttribute("aria-disabled", String(index === lines.length - 1))
  })
  for (const item of known.values()) item.remove()
}

function build(state, line) {
  const item = document.createElement("li")
  item.dataset.id = line[0]
  item.draggable = true
  const place = document.createElement("span")
  place.className = "place"
  const code = document.createElement("code")
  code.textContent = text(line)
  const moves = document.createElement("span")
  moves.className = "moves"
  for (const [sign, word, by] of [["↑", "up", -1], ["↓", "down", 1]]) {
    const button = document.createElement("button")
    button.type = "button"
    button.setAttribute("aria-label", `Move ${text(line)} ${word}`)
    const arrow = document.createElement("span")
    arrow.textContent = sign
    arrow.setAttribute("aria-hidden", "true")
    button.append(arrow)
    button.addEventListener("click", () => {
      const from = state.lines.findIndex((one) => one[0] === line[0])
      move(state, from, from + by)
      button.focus()
    })
    moves.append(button)
  }
  item.append(place, code, moves)
  item.addEventListener("dragstart", (event) => {
    state.dragged = line[0]
    item.classList.add("dragged")
    event.dataTransfer.effectAllowed = "move"
    event.dataTransfer.setData("text/plain", text(line))
  })
  item.addEventListener("dragend", () => {
    state.dragged = null
    item.classList.remove("dragged")
  })
  item.addEventListener("dragover", (event) => {
    if (state.dragged !== null) event.preventDefault()
  })
  item.addEventListener("drop", (event) => {
    event.preventDefault()
    if (state.dragged === null) return
    const from = state.lines.findIndex((one) => one[0] === state.dragged)
    const to = state.lines.findIndex((one) => one[0] === line[0])
    move(state, from, to)
  })
  return item
}

function move(state, from, to) {
  if (to < 0 || to >= state.lines.length || from === to || from < 0) return
  const [line] = state.lines.splice(from, 1)
  state.lines.splice(to, 0, line)
  draw(state)
  state.said.textContent = `${text(line)} is now line ${to + 1} of ${state.lines.length}.`
  state.reported.push(JSON.stringify(state.lines))
  state.report("order", state.lines.map((one) => one[0]))
}
