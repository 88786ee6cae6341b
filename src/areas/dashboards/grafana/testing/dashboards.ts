import { readdirSync, readFileSync } from 'node:fs'
import type { DataSourceMap } from '../data-sources.ts'

const folder = new URL('dashboards/', import.meta.url)
const expected = new URL('expected/', import.meta.url)

/** Dashboards of Grafana in the forms of its versions 4 to 12, made up after the documented JSON model. */
export function grafanaDashboards(): { name: string; json: unknown }[] {
  const files = readdirSync(folder).sort()
  return files.map((file) => ({
    name: file.replace('.json', ''),
    json: JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  }))
}

/** Where what is to become of a dashboard is kept. */
export const expectedFile = (name: string): URL => new URL(`${name}.json`, expected)

/** What the data sources of all these dashboards are here. */
export const DATA_SOURCES: DataSourceMap = {
  'pg-plant': { reference: 'connector://plant/table' },
  'Plant database': { reference: 'connector://plant/table' },
  postgres: { reference: 'connector://plant/table' },
  'pg-many': { references: { readings: 'connector://plant/readings', Machines: 'connector://plant/machines' } },
  Shop: { references: { orders: 'object://shop/orders/*.parquet' } },
  Warehouse: { reference: 'object://warehouse/stock.csv' },
  'mssql-ledger': { references: { bookings: 'connector://ledger/bookings' } },
  Machines: { sourceId: 'src_machines' },
  'influx-plant': { sourceId: 'src_plant' },
  prom: { sourceId: 'src_prom' },
  default: { reference: 'connector://plant/table' }
}
