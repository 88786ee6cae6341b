import { join, resolve } from 'node:path'
import { Problem } from '../../../errors.ts'
import { Closed } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import type { ScheduleTarget, TargetEnd, TargetRun } from '../../../schedule-target.ts'
import { removeOlder, removeUnfinished, stateOf } from './backup-folders.ts'
import { runBackup } from './backup-process.ts'
import { dueText } from './due-text.ts'

const DEFAULT_KEEP = 7
const NO_FOLDER =
  'There is no folder for backups: have an operator set BACKUP_DIR to one on another disk, and start the server again'

const BackupTargetConfig = Closed({
  keep: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description: `How many sound backups are kept, of all schedules together; older ones are removed after one that succeeded. ${DEFAULT_KEEP} unless said`
    })
  )
})
type BackupTargetConfig = Static<typeof BackupTargetConfig>

interface Needs {
  readonly config: { readonly dataDir: string; readonly backupDir: string | undefined }
}

export function backupTarget({ config }: Needs): ScheduleTarget {
  return {
    about:
      'Copies everything that is on the disk of the server into a folder below BACKUP_DIR that is named by the due time, as `millrace backup` does. Of several replicas it is the disk of the one that runs it.',
    permissions: ['storage:admin'],
    config: BackupTargetConfig,
    async check() {
      if (config.backupDir === undefined) throw new Problem('unprocessable', { detail: `${NO_FOLDER}.` })
    },
    run: (run) => makeBackup(config, run)
  }
}

async function makeBackup(config: Needs['config'], run: TargetRun): Promise<TargetEnd> {
  if (config.backupDir === undefined) return failed('backup_dir_missing', NO_FOLDER, true)
  const { dataDir } = config
  const backupDir = resolve(config.backupDir)
  const { keep = DEFAULT_KEEP } = run.config as BackupTargetConfig
  const name = dueText(run.dueAt)
  const folder = join(backupDir, name)
  const before = await stateOf(folder)
  if (before !== 'none') return endOf(before, backupDir, name, keep)
  await removeUnfinished(backupDir, name)
  /** Where folders are on the server is for operators alone. */
  const told = (text: string) => text.replaceAll(backupDir, 'BACKUP_DIR').replaceAll(dataDir, 'DATA_DIR')
  try {
    const onLine = (line: string) => run.log(told(line))
    const { code, trouble } = await runBackup({ dataDir, folder, signal: run.signal, onLine })
    const after = await stateOf(folder)
    if (after !== 'none') return await endOf(after, backupDir, name, keep, trouble.map(told))
    const said =
      trouble.length === 0 ? `it ended with ${code ?? 'a signal'} and said nothing` : trouble.map(told).join(' ')
    return failed('backup_failed', `No backup was made: ${said}`)
  } finally {
    await removeUnfinished(backupDir, name)
  }
}

async function endOf(
  state: Exclude<Awaited<ReturnType<typeof stateOf>>, 'none'>,
  backupDir: string,
  name: string,
  keep: number,
  trouble: readonly string[] = []
): Promise<TargetEnd> {
  if (state === 'foreign') {
    const message = `BACKUP_DIR/${name} is there already and is no backup; have an operator move it away`
    return failed('backup_folder_taken', message, true)
  }
  if (state === 'damaged') {
    const said = trouble.length === 0 ? '' : ` ${trouble.join(' ')}`
    const message = `The backup ${name} is complete but for what was damaged already; keep older ones, and see what millrace doctor says.${said}`
    return failed('backup_damaged', message, true)
  }
  const removed = await removeOlder(backupDir, keep, name)
  const also = removed === 0 ? '' : `; ${removed} older removed`
  return { outcome: 'succeeded', message: `The backup ${name} is complete${also}` }
}

function failed(code: string, message: string, isFinal = false): TargetEnd {
  return { outcome: 'failed', code, message, isFinal }
}
