import { catalogPart } from './integration/catalog.ts'
import { fiftyPart } from './integration/fifty.ts'
import { readingPart } from './integration/reading.ts'

/** What declared sources cost: fifty connectors at once (first, while the process is small), reading beside a bare loop, and the catalogue. */
export async function run(): Promise<boolean> {
  const passed = [await fiftyPart(), await readingPart(), await catalogPart()]
  return passed.every((ok) => ok)
}
