import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppServices } from '../../domain/appContext.ts'
import type { Console } from './createConsole.ts'

export type ConsoleServices = { console: Console; service: AppServices }

/** A route of sign-in: `METHOD path` below `/console/api`, and the JSON that it answers. */
export type ConsoleRoutes = Record<
  `${'GET' | 'POST' | 'DELETE'} /${string}`,
  (services: ConsoleServices, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
>
