/* Predict mode: a number is asked for before it is shown. */

class Predict {
  /* `find` finds the parts of the stepper; `reveal` makes the step that shows the number; `leave` takes the focus back. */
  constructor(find, reveal, leave) {
    this.form = find("guess");
    this.question = find("question");
    this.answer = find("answer");
    this.place = find("verdict");
    this.button = find("predict");
    this.reveal = reveal;
    this.leave = leave;
    this.on = false;
    this.asking = null;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
    this.form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
      this.leave();
    });
  }

  toggle() {
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", String(this.on));
    this.right = 0;
    this.asked = 0;
    this.close();
    this.say(this.on ? "Before a number is shown you are asked for it. Press Next step." : "");
  }

  ask(predict) {
    this.asking = predict;
    this.question.textContent = predict.question;
    this.form.hidden = false;
    this.answer.value = "";
    this.answer.focus({ preventScroll: true });
    this.say("");
  }

  check() {
    const typed = this.answer.value.trim().replace(",", ".").replace("−", "-");
    const guess = typed === "" ? NaN : Number(typed);
    if (Number.isNaN(guess)) {
      this.say("Type a number, such as 6 or -0.5.");
      return;
    }
    const { answer } = this.asking;
    const right = Math.abs(guess - answer) <= Math.max(0.005, Math.abs(answer) * 0.005);
    this.asked += 1;
    this.right += right ? 1 : 0;
    const said = right ? `Right: ${rounded(answer)}.` : `Not quite: you said ${typed}, it is ${rounded(answer)}.`;
    this.finish(`${said} ${this.right} of ${this.asked} right so far.`, right);
  }

  show() {
    if (this.asking) this.finish(`It is ${rounded(this.asking.answer)}.`);
  }

  finish(words, right) {
    const hadFocus = this.form.contains(this.form.getRootNode().activeElement);
    this.close();
    this.reveal();
    this.say(words, right);
    if (hadFocus) this.leave();
  }

  close() {
    this.asking = null;
    this.form.hidden = true;
  }

  say(words, right) {
    this.place.hidden = !words;
    this.place.textContent = words;
    this.place.dataset.right = right === undefined ? "" : right ? "yes" : "no";
  }
}

function rounded(number) {
  return String(Number(number.toPrecision(5)));
}
