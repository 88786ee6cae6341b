import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { inspectSeries } from '../../engines/series/duckdb/inspect.ts'
import { seriesDir } from '../../platform.ts'
import { hasPoints } from '../backup/series.ts'
import { checkSpace } from './data-dir.ts'
import { type Finding, fail, ok, type Patient, reasonOf, warn } from './finding.ts'
import { checkRemoteSeries } from './remote-series.ts'

const SUBJECT = 'series'

/** Where the points of time series are: on this machine, or in ClickHouse. */
export async function checkSeries({ config, clock }: Patient): Promise<Finding[]> {
  if (config.seriesUrl !== undefined) return [await checkRemoteSeries(config.seriesUrl, clock)]
  const folder = seriesDir(config)
  const findings = checkFolder(folder, hasPoints(config))
  if (config.databaseUrl !== undefined) {
    findings.push(warn(SUBJECT, 'they are on this machine only, replicas do not share them: set SERIES_URL'))
  }
  return findings
}

function checkFolder(folder: string, isMade: boolean): Finding[] {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) return [fail(SUBJECT, `${folder} is a file: move it away`)]
    if (!isUsable(folder)) {
      return [fail(SUBJECT, `${folder} can't be read and written: give this user the right to`)]
    }
  }
  if (!isMade) return [ok(SUBJECT, `none in ${folder} yet; the first write makes it`)]
  try {
    return checkFiles(folder)
  } catch (error) {
    return [fail(SUBJECT, `${folder} can't be read: ${reasonOf(error)}; restore it from a backup`)]
  }
}

function checkFiles(folder: string): Finding[] {
  const { files, logs, faults, torn } = inspectSeries(folder)
  const [example] = faults
  if (example !== undefined) {
    const others = faults.length === 1 ? '' : `, and ${faults.length - 1} more like it`
    return [fail(SUBJECT, `in ${folder} ${example}${others}: restore a backup`)]
  }
  const inLogs = `${logs.sizeBytes} bytes in ${logs.records} record(s) to read at a start`
  const found = checkSpace(SUBJECT, folder, `${folder}: ${files.count} files, ${files.sizeBytes} bytes; ${inLogs}; `)
  return [found, ...torn.map((name) => tornLog(folder, name))]
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
