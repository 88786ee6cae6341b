import { connect as connectNats, type NatsConnection } from '@nats-io/transport-node'
import { connectAsync, type MqttClient } from 'mqtt'
import pg from 'pg'
import { type KafkaMock, missingKafkaMock, startKafkaMock } from '../servers/kafka-mock.ts'
import { missingMosquitto, startMosquitto } from '../servers/mosquitto.ts'
import { missingNats, startNats } from '../servers/nats.ts'
import { makeFolder, removeFolder } from '../servers/service.ts'
import { startSqlPostgres } from '../servers/sql-postgres.ts'
import type { SqlServer } from '../servers/sql-server.ts'

/** The outside systems that pipelines read from and write to, with a client for each that is not the pipeline's own. */
export interface Counterparts {
  readonly folder: string
  readonly kafka: KafkaMock
  readonly mqtt: MqttClient
  readonly nats: NatsConnection
  readonly postgres: pg.Client
  /** The settings by which nodes reach them. */
  readonly connections: Readonly<Record<'kafka' | 'mqtt' | 'nats' | 'sql', object>>
  close(): Promise<void>
}

export function missingCounterpart(): string | undefined {
  return missingMosquitto() ?? missingNats() ?? missingKafkaMock()
}

export async function startCounterparts(): Promise<Counterparts> {
  const folder = makeFolder('counterparts')
  const servers = [startMosquitto(folder), startNats(folder), startKafkaMock(folder), startSqlPostgres(folder)] as const
  const [mosquitto, natsServer, kafka, database] = await Promise.all(servers)
  const mqtt = await connectAsync(`mqtt://127.0.0.1:${mosquitto.port}`)
  const nats = await connectNats({ servers: `127.0.0.1:${natsServer.port}` })
  const postgres = await connectPostgres(database)
  const at = ({ port }: { port: number }) => ({ hosts: [`127.0.0.1:${port}`] })
  return {
    folder,
    kafka,
    mqtt,
    nats,
    postgres,
    connections: { kafka: at(kafka), mqtt: at(mosquitto), nats: at(natsServer), sql: sqlConnection(database) },
    async close() {
      await Promise.all([mqtt.endAsync(true), nats.close(), postgres.end()])
      await Promise.all([mosquitto.stop(), natsServer.stop(), kafka.stop(), database.stop()])
      removeFolder(folder)
    }
  }
}

export async function connectPostgres({ host, port, user, password, database }: SqlServer): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user, password, database })
  client.on('error', () => {}) // a test may stop the server
  await client.connect()
  await client.query("SET timezone = 'UTC'")
  return client
}

export const sqlConnection = ({ host, port, user, password, database }: SqlServer) => ({
  kind: 'postgres',
  host,
  port,
  user,
  password,
  database
})
