// The bare query: DuckDB alone, with as much as the data plane gives a query, reads every row and does nothing with them.
import { setPriority } from 'node:os'
import { DuckDBInstance } from '@duckdb/node-api'

process.once('message', async ({ sql, rounds, threads }: { sql: string; rounds: number; threads: number }) => {
  setPriority(10)
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`SET threads = ${threads}; SET TimeZone = 'UTC'`)
  const tookMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now()
    const result = await (await connection.prepare(sql)).stream()
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      for (let column = 0; column < chunk.columnCount; column++) chunk.getColumnVector(column)
    }
    tookMs.push(performance.now() - startMs)
  }
  process.send?.(tookMs)
  process.disconnect?.()
})
