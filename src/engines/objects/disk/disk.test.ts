import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { objectStoreContract } from '../testing/contract.ts'
import { openDiskStore } from './store.ts'

objectStoreContract('disk', {
  missing: undefined,
  md5OfLarge: true,
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-disk-'))
    const opened = await openDiskStore(folder, Date.now)
    return { opened, stop: async () => rmSync(folder, { recursive: true, force: true }) }
  }
})
