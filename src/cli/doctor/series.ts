import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { describeScrub } from '../../engines/scrub-state.ts'
import { type DamageNote, describeNote } from '../../engines/series/duckdb/damage-notes.ts'
import { inspectSeries } from '../../engines/series/duckdb/inspect.ts'
import { type Finding, fail, type Installation, ok, reasonOf, warn } from '../../finding.ts'
import { seriesDir } from '../../platform.ts'
import { hasPoints } from '../backup/series.ts'
import { checkSpace, isFull } from './data-dir.ts'
import { checkRemoteSeries } from './remote-series.ts'

const SUBJECT = 'series'

/** Checks the place of the time series: this machine, or ClickHouse. */
export async function checkSeries({ config, clock }: Installation, isDeep = false): Promise<Finding[]> {
  if (config.seriesUrl !== undefined) return [await checkRemoteSeries(config.seriesUrl, clock)]
  const folder = seriesDir(config)
  const findings = checkFolder(folder, hasPoints(config), isDeep)
  if (config.databaseUrl !== undefined) {
    findings.push(warn(SUBJECT, 'they are on this machine only, replicas do not share them: set SERIES_URL'))
  }
  return findings
}

function checkFolder(folder: string, isMade: boolean, isDeep: boolean): Finding[] {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) return [fail(SUBJECT, `${folder} is a file: move it away`)]
    if (!isUsable(folder)) {
      return [fail(SUBJECT, `${folder} can't be read and written: give this user the right to`)]
    }
  }
  if (!isMade) return [ok(SUBJECT, `none in ${folder} yet; the first write makes it`)]
  try {
    return checkFiles(folder, isDeep)
  } catch (error) {
    // SQLite needs some bytes beside its file even to read it: nothing is known to be damaged.
    if (isFull(folder)) return [fail(SUBJECT, `${folder} can't be read, since the disk is full: make room`)]
    return [fail(SUBJECT, `${folder} can't be read: ${reasonOf(error)}; restore it from a backup`)]
  }
}

function checkFiles(folder: string, isDeep: boolean): Finding[] {
  const { files, logs, faults, strays, torn, damagedLogs, notes } = inspectSeries(folder)
  const [example] = faults
  if (example !== undefined) {
    const others = faults.length === 1 ? '' : `, and ${faults.length - 1} more like it`
    return [
      fail(SUBJECT, `in ${folder} ${example}${others}: restore a backup`),
      ...unknownFiles(folder, strays),
      ...notes.map((note) => noted(folder, note))
    ]
  }
  const inLogs = `${logs.sizeBytes} bytes in ${logs.records} record(s) to read at a start`
  // With `--deep` the files are read anyway, so the last scrub is not mentioned.
  const looked = isDeep ? '' : `, ${describeScrub(folder)}`
  const seen = `${folder}: ${files.count} files, ${files.sizeBytes} bytes${looked}; ${inLogs}; `
  return [
    checkSpace(SUBJECT, folder, seen),
    ...unknownFiles(folder, strays),
    ...torn.map((name) => tornLog(folder, name)),
    ...damagedLogs.map((damage) => damagedLog(folder, damage)),
    ...notes.map((note) => noted(folder, note))
  ]
}

/** Files that the index does not know, as after a lost index was replaced by a new one or by that of a backup. */
function unknownFiles(folder: string, strays: readonly string[]): Finding[] {
  if (strays.length === 0) return []
  const files = `${strays.length} file(s) of points, such as ${strays[0]},`
  return [fail(SUBJECT, `in ${folder} index.db does not know ${files} and nobody can ask for them: restore a backup`)]
}

function damagedLog(folder: string, damage: string): Finding {
  const mend = 'a server that runs has them in memory and writes them to files; the next start keeps a copy of the log'
  return fail(SUBJECT, `in ${folder} ${damage}, which the next start can't read: ${mend}`)
}

/** Damage that the engine has found and that is not mended yet. */
function noted(folder: string, note: DamageNote): Finding {
  const found = `in ${folder} ${describeNote(note)} (found at ${note.foundAt})`
  if (note.kind === 'file') return fail(SUBJECT, `${found}: ${putBackFile(note.file)}`)
  const mend = `send them again, or restore a backup; deletions of that time have to be repeated`
  return fail(SUBJECT, `${found}: ${mend}; the damaged log is ${note.copy}: remove it and the note beside it when done`)
}

/** How to mend a file: files never change once written, so the one in a backup is the same. */
export function putBackFile(file: string): string {
  const or = 'or delete its tags or its source'
  return `stop the server, copy series/${file} of a backup over it and start again; ${or}; other tags can be asked for`
}

function tornLog(folder: string, name: string): Finding {
  const loss = 'the next start drops the rest of it, which was never acknowledged if the power failed'
  return warn(SUBJECT, `${name} in ${folder} does not end with a whole record: ${loss}; else restore a backup`)
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
