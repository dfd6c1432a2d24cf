// A file of text, chosen and read in the browser. data: {label, accept, largest}. State "file": {name, text} or null.

const wired = new WeakSet()

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".upload")
  const input = root.querySelector("input")
  const trouble = root.querySelector(".trouble")
  root.querySelector(".label").textContent = data.label
  input.accept = data.accept
  if (wired.has(root)) return
  wired.add(root)
  input.addEventListener("change", async () => {
    const [file] = input.files
    trouble.textContent = ""
    if (!file) {
      setStateValue("file", null)
    } else if (file.size > data.largest) {
      trouble.textContent = `This file has ${(file.size / 1e6).toFixed(0)} MB, at most ${data.largest / 1e6} MB are read.`
      setStateValue("file", null)
    } else {
      setStateValue("file", { name: file.name, text: await file.text() })
    }
  })
}
