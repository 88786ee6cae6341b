import { existsSync, mkdirSync } from 'node:fs'
import { chmod, constants, copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Trouble } from '../command.ts'
import { flush, sha256Of } from './durable.ts'

/** Copies a file of a backup to its staged place, and compares the copy with the expected hash. */
export async function stageFile(folder: string, staged: string, name: string, sha256: string): Promise<void> {
  const target = join(staged, name)
  if (!existsSync(join(folder, name))) throw damaged(folder, `${name} is missing`)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  await copyFile(join(folder, name), target, constants.COPYFILE_EXCL)
  await chmod(target, 0o600)
  await flush(target)
  if ((await sha256Of(target)) !== sha256) throw damaged(folder, `${name} is not as it was written`)
}

export function damaged(folder: string, what: string): Trouble {
  return new Trouble(`The backup in ${folder} is damaged: ${what}. Use another one; nothing was changed.`)
}
