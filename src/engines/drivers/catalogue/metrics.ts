import type { SourceFacts } from './facts.ts'

/** Databases of series. */
export const METRICS: readonly SourceFacts[] = [
  {
    id: 'influxdb',
    name: 'InfluxDB 1',
    category: 'metrics',
    hint: 'Where the server has users (auth-enabled), one with the right READ on the database is enough.',
    documentationUrl: 'https://docs.influxdata.com/influxdb/v1/',
    driver: 'influxdb',
    defaults: {},
    isProven: true
  },
  {
    id: 'influxdb-2',
    name: 'InfluxDB 2 and 3',
    category: 'metrics',
    authentication: 'token',
    hint: 'Reads by InfluxQL, as version 1 does. In version 2 a bucket needs a mapping (DBRP), which one that is named after its database has by itself.',
    documentationUrl: 'https://docs.influxdata.com/influxdb/v2/query-data/influxql/dbrp/',
    driver: 'influxdb',
    defaults: { tls: true },
    isProven: false
  },
  {
    id: 'prometheus',
    name: 'Prometheus',
    category: 'metrics',
    hint: 'Reads what it has stored, sample by sample, by its HTTP interface. It wants no user unless it was told to.',
    documentationUrl: 'https://prometheus.io/docs/prometheus/latest/querying/api/',
    driver: 'prometheus',
    defaults: { port: 9090 },
    isProven: true
  },
  {
    id: 'victoriametrics',
    name: 'VictoriaMetrics',
    category: 'metrics',
    hint: 'Reads by the interface that it has in common with Prometheus. Of a cluster, ask vmselect: port 8481, path /select/0/prometheus.',
    documentationUrl: 'https://docs.victoriametrics.com/',
    driver: 'prometheus',
    defaults: { port: 8428 },
    isProven: true
  }
]
