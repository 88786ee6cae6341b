// Draws the examples of the engine of pictures anew and keeps them for its test to compare with. Look at each picture that
// has changed before you commit it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { rendered } from '../src/engines/pictures/maker/render.ts'
import { drawnExamples } from '../src/engines/pictures/testing/drawn.ts'

const folder = new URL('../src/engines/pictures/testing/kept/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const { name, svg, scale } of drawnExamples()) {
  const png = rendered(svg, scale).asPng()
  writeFileSync(new URL(`${name}.svg`, folder), svg)
  writeFileSync(new URL(`${name}.png`, folder), png)
  console.log(`${name}: SVG ${(svg.length / 1000).toFixed(1)} KB, PNG ${(png.length / 1000).toFixed(1)} KB`)
}
