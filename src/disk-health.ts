import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from './config.ts'
import { lackOfSpace, type SpaceNeeds } from './disk-space.ts'
import { damagedIn } from './engines/objects/disk/marks.ts'
import { readNotes } from './engines/series/duckdb/damage-notes.ts'
import { layoutOf } from './engines/series/duckdb/layout.ts'
import { HealthProblem } from './http/health-problem.ts'
import { objectsDir, seriesDir } from './platform.ts'

const MAX_COUNTED = 1000
const MEND = "run 'millrace doctor' on the server, which names them and says what to do"

/**
 * Throws where there is little room on this disk, or data is known to be damaged. The message names no file: anybody
 * may ask.
 */
export async function checkDisk(needs: SpaceNeeds & { readonly config: Config }): Promise<void> {
  const lost = [...lostPoints(needs.config), ...damagedObjects(needs.config)]
  const low = await lackOfSpace(needs)
  const wrong = [
    ...(low === undefined ? [] : [low]),
    ...(lost.length === 0 ? [] : [`The disk has not kept what was written: ${lost.join('; ')}: ${MEND}`])
  ]
  if (wrong.length > 0) throw new HealthProblem(wrong.join('. '))
}

function lostPoints(config: Config): string[] {
  if (config.seriesUrl !== undefined) return []
  const notes = readNotes(layoutOf(seriesDir(config)))
  const files = notes.filter(({ kind }) => kind === 'file').length
  const logs = notes.flatMap((note) => (note.kind === 'log' ? [note] : []))
  const points = logs.reduce((sum, note) => sum + note.points + note.nameless, 0)
  const more = logs.every(({ isAllKnown }) => isAllKnown) ? '' : ' or more'
  const times = logs.flatMap(({ from, to }) => (from === undefined || to === undefined ? [] : [from, to])).sort()
  const between = times.length === 0 ? '' : ` of times from ${times[0]} to ${times.at(-1)}`
  return [
    ...(logs.length > 0 ? [`${points} points${more}${between} are lost from ${logs.length} log(s)`] : []),
    ...(files > 0 ? [`${files} file(s) of points are damaged`] : [])
  ]
}

function damagedObjects(config: Config): string[] {
  const folder = objectsDir(config)
  const stores = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'index.db')) : []
  const count = stores.filter((file) => existsSync(file)).reduce((sum, file) => sum + countIn(file), 0)
  return count === 0 ? [] : [`${count} object(s) are damaged`]
}

function countIn(file: string): number {
  const index = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
  try {
    return damagedIn(index, MAX_COUNTED).length
  } finally {
    index.close()
  }
}
