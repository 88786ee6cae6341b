// Writes down what becomes of each dashboard now: `node src/areas/dashboards/grafana/testing/keep.ts`. Then format them, and read the difference.
import { writeFileSync } from 'node:fs'
import { fromGrafana } from '../import.ts'
import { DATA_SOURCES, expectedFile, grafanaDashboards } from './dashboards.ts'

for (const { name, json } of grafanaDashboards()) {
  writeFileSync(expectedFile(name), `${JSON.stringify(fromGrafana(json, DATA_SOURCES), null, 2)}\n`)
}
