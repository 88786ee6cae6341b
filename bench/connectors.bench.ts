import { changesPart } from './connectors/changes.ts'
import { readingPart } from './connectors/reading.ts'

/** What connectors take from other systems, beside what these can give. */
export async function run(): Promise<boolean> {
  const passed = [await readingPart(), await changesPart()]
  return passed.every((ok) => ok)
}
