import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { AreaBody, AreaNeeds, Services } from '../../area.ts'
import type { DataPlane } from '../../data/plane.ts'
import type { Bus } from '../../engines/bus/index.ts'
import type { Clock } from '../../engines/clock.ts'
import type { KeptSecrets } from '../../engines/drivers/index.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Jobs } from '../../engines/jobs/index.ts'
import type { Log } from '../../engines/log.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import type { ObjectStore } from '../../engines/objects/index.ts'
import type { Series } from '../../engines/series/index.ts'
import type { Vault } from '../../engines/vault/index.ts'
import type { Uses } from '../../http/in-use.ts'
import { Intake } from '../../http/intake.ts'
import { EventStreams } from '../../http/server-sent-events.ts'
import { requireOwnDisk } from '../../own-disk.ts'
import { pipelinesDir } from '../../platform.ts'
import type { PipelineNode } from './contract/node-type.ts'
import { Feed } from './data/feed.ts'
import { feedRoutes } from './data/feed-routes.ts'
import { dataRoutes } from './data/routes.ts'
import { SeriesData } from './data/series.ts'
import { PipelineOutputs } from './data/service.ts'
import { DeadLetterReplays } from './dead-letters/replays.ts'
import { deadLetterRoutes } from './dead-letters/routes.ts'
import { DeadLetters } from './dead-letters/service.ts'
import { tryReplay } from './dead-letters/trial.ts'
import { type ConnectorOf, withConnectors } from './definition/named-connectors.ts'
import { type RulesOf, withRules } from './definition/named-rules.ts'
import { previewPipeline, rightsOf } from './definition/preview.ts'
import { withSchemas } from './definition/registered-schemas.ts'
import { pipelineRoutes } from './definition/routes.ts'
import { revealSecrets } from './definition/secrets.ts'
import { Pipelines } from './definition/service.ts'
import { checkedInTrial } from './definition/trial-check.ts'
import { Validator } from './definition/validate.ts'
import { lifecycleRoutes } from './lifecycle/routes.ts'
import { Lifecycle } from './lifecycle/service.ts'
import { startWarnings } from './lifecycle/start-warnings.ts'
import type { LineageTeller } from './lineage/sightings.ts'
import { logRoutes } from './logs/routes.ts'
import { Logs } from './logs/service.ts'
import { portableRoutes } from './portable/routes.ts'
import { Portable } from './portable/service.ts'
import type { KnownColumns } from './protocol/known-columns.ts'
import type { PreviewRights, Samples } from './protocol/protocol.ts'
import { RecordRights } from './rights/records.ts'
import { quotedBy } from './rights/references.ts'
import { runRoutes } from './runs/routes.ts'
import { Runs } from './runs/service.ts'
import { findVersion } from './store/versions.ts'
import { createGateway } from './supervisor/gateway.ts'
import { withHost } from './supervisor/host-problems.ts'
import { type KeptFiles, keepInFolder, keepOnOwnDisk } from './supervisor/kept-files.ts'
import { keepInStore } from './supervisor/kept-in-store.ts'
import { requireLevels } from './supervisor/levels.ts'
import { LogKeeper } from './supervisor/log-keeper.ts'
import { Supervisor } from './supervisor/supervisor.ts'
import type { Reader } from './upkeep/readers.ts'
import { sweepFiles, upkeep } from './upkeep/upkeep.ts'
import { versionRoutes } from './versions/routes.ts'
import { Versions } from './versions/service.ts'

declare module '../../area.ts' {
  interface Services {
    pipelines: Supervisor
  }
}

const MIB = 1024 * 1024
/** Disk that the SQL of pipelines may use for what does not fit its memory. */
const SPILL_BYTES = 20 * 1024 * MIB
/** Readers that may follow logs at the same time. */
const MAX_READERS = 100

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly bus: Bus
  readonly log: Log
  readonly jobs: Jobs
  readonly vault: Vault
  readonly classification: Services['classification']
  readonly lineage: LineageTeller
  readonly uses: Uses
  readonly folder: string
  readonly processName: string
  /** Throws while the disk of this machine is not all that there is. */
  requireOwnDisk(): Promise<void>
  readonly maxWriteBytes: number
  /** Aborts when the server is about to end. */
  readonly ending: AbortSignal
  readonly pipelineMemoryMb: number
  readonly pipelineProcesses: number
  readonly allowPrivateNetworks: boolean
  readonly allowedHosts: readonly string[]
  /** Where replicas keep what they share; undefined where there is one server with a disk. */
  readonly sharedStore: { store(): Promise<ObjectStore>; readonly bucket: string } | undefined
  readonly plane: Pick<DataPlane, 'query' | 'describe'>
  series(): Promise<Series>
  bucketExists(name: string): Promise<boolean>
  /** Throws a `Problem` where there is no such bucket. */
  openBucket(name: string): Promise<{ store: ObjectStore; backend: string }>
  sourceExists(id: string): Promise<boolean>
  isNameOfSource(name: string): Promise<boolean>
  /** A registered schema as JSON Schema; throws a `Problem` where there is none. */
  schemaOf(id: string, version: number | undefined): Promise<object>
  readonly rulesOf: RulesOf
  /** The data that stored rules quote which nodes name. */
  quotedBy(nodes: readonly PipelineNode[]): Promise<readonly string[]>
  readonly connectorOf: ConnectorOf
  /** The secrets of the connector that a ticket is for. */
  secretsWith(ticket: string): Promise<KeptSecrets>
  forgetReader(reader: Reader): Promise<void>
  connectorWorks(connectorId: string): Promise<void>
}

export async function pipelinesBody(given: AreaNeeds): Promise<AreaBody> {
  const { config, service } = given
  const buckets = async () => (await service('buckets')).opener
  const storage = () => service('storage')
  return buildPipelines({
    ...given,
    ...config,
    classification: await service('classification'),
    lineage: await service('lineage'),
    folder: pipelinesDir(config),
    requireOwnDisk: () => requireOwnDisk(given),
    bucketExists: async (name) => (await (await buckets()).find(name)) !== undefined,
    openBucket: async (name) => (await buckets()).open(name),
    sourceExists: async (id) => (await service('catalog')).sourceExists(id),
    isNameOfSource: async (name) => (await service('catalog')).isNameOfSource(name),
    schemaOf: async (id, version) => (await service('schemas')).asJsonSchema(id, version),
    rulesOf: async (ids) => (await service('quality')).rulesNamed(ids),
    quotedBy: (nodes) => quotedBy(given.metadata.db, nodes),
    connectorOf: async (...asked) => (await service('connectors')).forStream(...asked),
    secretsWith: async (ticket) => (await service('connectors')).secrets.with(ticket),
    forgetReader: async ({ connectorId, reader }) => (await service('connectors')).forgetReader(connectorId, reader),
    connectorWorks: async (id) => (await service('connectors')).works(id),
    sharedStore:
      config.objectsUrl === undefined
        ? undefined
        : {
            store: async () => (await storage()).builtInStore(),
            bucket: (await storage()).ownBucket('pipelines')
          }
  })
}

function buildPipelines(needs: Needs): AreaBody {
  const { metadata, clock, log } = needs
  const keptFiles =
    needs.sharedStore === undefined
      ? keepOnOwnDisk(keepInFolder(join(needs.folder, 'kept')), needs.requireOwnDisk)
      : keepInStore({ ...needs.sharedStore, now: () => clock.now() })
  const supervisor = createSupervisor(needs, keptFiles)
  // With what registered schemas and rules say, where they are there; that they are not is told elsewhere.
  const checkAway = async (caller: string, nodes: readonly PipelineNode[], known?: KnownColumns) => {
    const whole = await wholeNodes(needs, nodes).catch(() => [...nodes])
    return withHost(() => checkedInTrial(whole, () => supervisor.ask(caller, 'check', whole, known)))
  }
  const { guard } = needs.classification
  const records = new RecordRights({ metadata, guard })
  const validator = new Validator({ ...needs, guard, checkAway })
  const figuresOf = (runId: string) => supervisor.figuresOf(runId)
  const pipelines = new Pipelines({ ...needs, records, validator, figuresOf })
  const lifecycle = new Lifecycle({ ...needs, figuresOf })
  const preview = async (caller: string, nodes: readonly PipelineNode[], samples: Samples, rights: PreviewRights) =>
    await supervisor.ask(caller, 'preview', await wholeNodes(needs, nodes), samples, rights)
  const definitionOf = definitionsOf(needs)
  const replays = new DeadLetterReplays({
    ...needs,
    records,
    lifecycle,
    checkAway,
    definitionOf,
    replay: (runId, order, tally) => supervisor.replay(runId, order, tally),
    progressOf: (runId) => supervisor.progressOf(runId),
    wake: () => supervisor.sweep()
  })
  return {
    routes: [
      ...pipelineRoutes({
        pipelines,
        preview: (actor, body) => previewPipeline({ validator, preview }, actor, body)
      }),
      ...lifecycleRoutes({ lifecycle, records, warningsFor: (id) => startWarnings(needs, id) }),
      ...versionRoutes(new Versions({ ...needs, validator, pipelines })),
      ...portableRoutes(new Portable({ ...needs, pipelines })),
      ...runRoutes(new Runs({ ...needs, records, figuresOf })),
      ...logRoutes(
        new Logs({ ...needs, records }),
        new EventStreams({ clock, ending: needs.ending, maxReaders: MAX_READERS })
      ),
      ...deadLetterRoutes({
        deadLetters: new DeadLetters({ metadata, records }),
        replays,
        tryReplay: async (actor, id, body) => {
          await records.requireAll(actor, id)
          const look = (nodes: readonly PipelineNode[], samples: Samples) =>
            preview(actor.id, nodes, samples, rightsOf(actor))
          const checkSql = (nodes: readonly PipelineNode[], known: KnownColumns) => checkAway(actor.id, nodes, known)
          return tryReplay({ metadata, clock, checkSql, preview: look, definitionOf }, id, body)
        }
      }),
      ...feedRoutes(createFeed(needs, supervisor)),
      ...dataRoutes(new PipelineOutputs({ ...needs, guard, seriesData: new SeriesData(needs.series) }))
    ],
    service: supervisor,
    jobs: upkeep({ ...needs, keptFiles }),
    async start() {
      const found = await keptFiles.abandoned()
      sweepFiles(metadata, keptFiles, found).catch((error) => log.warn({ err: error }, 'old files of pipelines stay'))
      await supervisor.start()
    },
    stop: () => supervisor.stop()
  }
}

function createFeed(needs: Needs, supervisor: Supervisor): Feed {
  const { maxWriteBytes: maxBytes } = needs
  const tooLarge = `A body may have ${maxBytes} bytes (MAX_WRITE_BYTES); divide this one.`
  const intake = new Intake({ maxBytes, tooLarge, busy: 'pipeline_busy' })
  return new Feed({ ...needs, intake, feed: (...args) => supervisor.feed(...args) })
}

function createSupervisor(needs: Needs, keptFiles: KeptFiles): Supervisor {
  const { clock, folder, processName, allowPrivateNetworks, allowedHosts } = needs
  return new Supervisor({
    ...needs,
    keptFiles,
    gateway: createGateway({ ...needs, keptFiles, now: () => clock.now() }),
    logs: new LogKeeper(needs),
    requireLevels: () => requireLevels(needs.classification),
    hosts: {
      // Emptied at the start, and so not to be shared where replicas share the disk.
      folder: join(folder, 'work', processName),
      memoryBytes: needs.pipelineMemoryMb * MIB,
      spillBytes: SPILL_BYTES,
      threads: availableParallelism(),
      maxHosts: needs.pipelineProcesses,
      allowPrivateNetworks,
      allowedHosts
    },
    definitionOf: definitionsOf(needs)
  })
}

/** The nodes of a version as a host runs them, with their secrets. */
function definitionsOf(needs: Needs) {
  const { metadata, vault } = needs
  return async (pipelineId: string, version: number): Promise<readonly PipelineNode[]> => {
    const row = await findVersion(metadata.db, pipelineId, version)
    if (row === undefined) throw new Error(`The pipeline ${pipelineId} has no version ${version} any more`)
    const nodes = await wholeNodes(needs, revealSecrets(vault, pipelineId, row))
    return withConnectors(nodes, needs.connectorOf)
  }
}

/** With what they name of other areas in its place: a host can't ask for it. */
async function wholeNodes({ schemaOf, rulesOf }: Needs, nodes: readonly PipelineNode[]): Promise<PipelineNode[]> {
  return withRules(await withSchemas(nodes, schemaOf), rulesOf)
}
