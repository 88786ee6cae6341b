import { catalogPart } from './integration/catalog.ts'
import { fiftyPart } from './integration/fifty.ts'
import { readingPart } from './integration/reading.ts'

/** What declared sources cost: reading beside a bare loop, fifty connectors at once, and the catalogue. */
export async function run(): Promise<boolean> {
  const passed = [await readingPart(), await fiftyPart(), await catalogPart()]
  return passed.every((ok) => ok)
}
