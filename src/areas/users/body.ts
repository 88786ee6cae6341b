import type { AreaBody, AreaNeeds } from '../../area.ts'
import { createExplainToken } from './explain.ts'
import { userRoutes } from './routes.ts'
import { Users } from './service.ts'

declare module '../../area.ts' {
  interface Services {
    users: Users
  }
}

export function usersBody(needs: AreaNeeds): AreaBody {
  const users = new Users(needs)
  const explain = createExplainToken(needs.identity, async (key) => (await needs.service('api-keys')).explain(key))
  return { routes: userRoutes(users, explain), service: users }
}
