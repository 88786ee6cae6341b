import type { AreaBody, AreaNeeds } from '../../../src/area.ts'
import type { Worker } from '../../../src/engines/jobs/index.ts'
import { change, created, read } from '../../../src/http/route.ts'
import { Closed } from '../../../src/http/schemas.ts'
import { Type } from '../../../src/http/type.ts'
import { Problem } from './errors.ts'

const Thing = Type.Object({ id: Type.String(), name: Type.String() }, { $id: 'Thing' })

export function thingsBody({ metadata, jobs, makeId, config }: AreaNeeds): AreaBody {
  const polish: Worker<{ id: string }> = ({ payload, commit }) =>
    commit((tx) => tx.updateTable('things').set({ polished: 1 }).where('id', '=', payload.id).execute())
  return {
    routes: [
      read(
        {
          path: '/things',
          operationId: 'listThings',
          summary: 'List the things',
          permission: 'things:read',
          answer: Type.Object({ things: Type.Array(Thing), max: Type.Integer() })
        },
        async () => ({
          things: await metadata.db.selectFrom('things').select(['id', 'name']).execute(),
          max: config.maxThings ?? 0
        })
      ),
      change(
        {
          method: 'POST',
          path: '/things',
          operationId: 'makeThing',
          summary: 'Make a thing',
          permission: 'things:write',
          audit: 'thing.create',
          status: 201,
          body: Closed({ name: Type.String({ minLength: 1, maxLength: 20 }) }),
          answer: Thing,
          errors: ['thing_broken']
        },
        async ({ tx, body }) => {
          if (body.name === 'no') throw new Problem('thing_broken')
          const thing = { id: makeId('thing'), name: body.name }
          await tx
            .insertInto('things')
            .values({ ...thing, polished: 0 })
            .execute()
          await jobs.enqueue(tx, { kind: 'things.polish', payload: { id: thing.id } })
          return created('thing', thing)
        }
      )
    ],
    jobs: { 'things.polish': polish }
  }
}
