// Writes the description of the API to openapi.json, or with --check fails where the committed one is out of date.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/areas.ts'
import { openPlatform } from '../src/platform.ts'

const file = new URL('../openapi.json', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'millrace-openapi-'))
try {
  const platform = await openPlatform(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }))
  const app = buildApp(platform)
  await platform.metadata.migrate(app.migrations)
  const text = `${JSON.stringify(await app.describe(), null, 2)}\n`
  await platform.close()
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error('openapi.json is out of date: run `npm run openapi` and commit the result')
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true })
}
