import type { Zookeeper } from './zookeeper.ts'

export interface NodePorts {
  readonly http: number
  readonly tcp: number
  readonly interserver: number
}

/** The name of the cluster that all nodes started together form, each a shard. */
export const CLUSTER = 'two_shards'

export const USER = 'millrace'
/** With characters that a URL and SQL have to escape. */
export const PASSWORD = "p@ss/w'ord\\%?"

/** One server, in this folder and on the loopback; `nodes` are all of its cluster, itself too. */
export function serverConfig(
  folder: string,
  index: number,
  nodes: readonly NodePorts[],
  zookeeper: Zookeeper | undefined
): string {
  const { http, tcp, interserver } = nodes[index] as NodePorts
  const shards = nodes
    .map((node) => `<replica><host>127.0.0.1</host><port>${node.tcp}</port></replica>`)
    .map((replica) => `<shard><internal_replication>true</internal_replication>${replica}</shard>`)
    .join('\n    ')
  const coordination = `<zookeeper><node><host>127.0.0.1</host><port>${zookeeper?.port}</port></node></zookeeper>
  <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>`
  return `<yandex>
  <logger><level>warning</level><console>1</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${http}</http_port>
  <tcp_port>${tcp}</tcp_port>
  <interserver_http_port>${interserver}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <user_files_path>${folder}/files/</user_files_path>
  <format_schema_path>${folder}/formats/</format_schema_path>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>268435456</mark_cache_size>
  <keep_alive_timeout>10</keep_alive_timeout>
  <max_concurrent_queries>100</max_concurrent_queries>
  <remote_servers><${CLUSTER}>
    ${shards}
  </${CLUSTER}></remote_servers>
  <macros><shard>${index + 1}</shard><replica>r${index + 1}</replica></macros>
  ${zookeeper === undefined ? '' : coordination}
  <timezone>Asia/Tokyo</timezone>
</yandex>
`
}

/** Two users who may do everything: one without a password, and one with. */
export function usersConfig(): string {
  const user = (name: string, password: string) => `<${name}>
    <password>${password}</password>
    <networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota>
  </${name}>`
  return `<yandex>
  <profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles>
  <users>${user('default', '')}${user(USER, PASSWORD)}</users>
  <quotas><default></default></quotas>
</yandex>
`
}
