/* Playing: one step after the other, until there is none or somebody stops it. */

const PLAY_INTERVAL = 1400;
const PLAY_FIRST = 150;

class Player {
  /* `advance` makes one step and tells whether there is another to make. */
  constructor(button, speed, advance, onStop) {
    Object.assign(this, { button, speed, advance, onStop });
  }

  toggle() {
    if (this.timer) this.stop();
    else this.start();
  }

  start() {
    const turn = () => {
      if (this.advance()) this.timer = setTimeout(turn, PLAY_INTERVAL / Number(this.speed.value));
      else this.stop();
    };
    this.timer = setTimeout(turn, PLAY_FIRST);
    this.name();
  }

  stop() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.name();
    this.onStop();
  }

  name() {
    const word = this.timer ? "Pause" : "Play";
    this.button.setAttribute("aria-label", word);
    this.button.title = `${word} (Space)`;
    this.button.classList.toggle("playing", Boolean(this.timer));
  }
}
