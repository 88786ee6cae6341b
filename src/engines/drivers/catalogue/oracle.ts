import type { SourceFacts } from './facts.ts'

export const ORACLE_FAMILY: readonly SourceFacts[] = [
  {
    id: 'oracle',
    name: 'Oracle Database',
    category: 'databases',
    hint: 'Version 12.1 or later. Give a listener that answers itself: one that sends connections on (SCAN) is refused.',
    documentationUrl: 'https://docs.oracle.com/en/database/',
    driver: 'oracle',
    defaults: {},
    isProven: false
  },
  {
    id: 'oracle-autonomous',
    name: 'Oracle Autonomous Database',
    category: 'databases',
    hint: 'With TLS and no wallet (one-way), which its network settings have to permit; the service ends with _low, _medium or _high.',
    documentationUrl: 'https://docs.oracle.com/en/cloud/paas/autonomous-database/',
    driver: 'oracle',
    defaults: { host: 'adb.eu-frankfurt-1.oraclecloud.com', port: 1521, tls: true },
    isProven: false
  }
]
