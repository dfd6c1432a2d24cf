/* Large walks come compressed: JSON text, zlib, base64. */

async function unpacked(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place += 1) bytes[place] = letters.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/* Hands on what came, unpacked where it must be; what came last wins, however long it takes. */
class Packed {
  async show(data, use) {
    this.asked = data;
    if (data.packed && this.text !== data.packed) {
      const rest = await unpacked(data.packed);
      if (this.asked !== data) return;
      this.text = data.packed;
      this.rest = rest;
    }
    use(data.packed ? { ...data, ...this.rest } : data);
  }

  stop() {
    this.asked = null;
  }
}
