import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Called when a request begins to take work; returns what to call when it ends or is held. */
type BeginWork = () => () => void

type Work = { begins: BeginWork[]; ends: (() => void)[]; isAtWork: boolean; isOver: boolean }

const byRequest = new WeakMap<FastifyRequest, Work>()
const bySocket = new WeakMap<Socket, Set<Work>>()

/** The number of unanswered requests of a connection. */
export function unansweredOn(socket: Socket): number {
  return bySocket.get(socket)?.size ?? 0
}

/** Counts a request among the unanswered ones of its connection. */
export function trackRequest(request: FastifyRequest, reply: FastifyReply): void {
  const work: Work = { begins: [], ends: [], isAtWork: true, isOver: false }
  byRequest.set(request, work)
  const unanswered = workOn(request.raw.socket).add(work)
  reply.raw.once('close', () => {
    unanswered.delete(work)
    end(work)
  })
}

/** Counts a tracked request from now until its answer, without the time for which it is held. */
export function countAtWork(request: FastifyRequest, begin: BeginWork): void {
  const work = byRequest.get(request)
  if (!work) throw new Error('Invariant(requestsAtWork): the request is not tracked')
  work.begins.push(begin)
  if (work.isAtWork) work.ends.push(begin())
}

/** A request that is held takes no work until the returned function is called. */
export function pauseWork(request: FastifyRequest): () => void {
  const work = byRequest.get(request)
  if (!work) return () => {}
  pause(work)
  return () => {
    if (work.isOver) return
    work.isAtWork = true
    work.ends = work.begins.map((begin) => begin())
  }
}

function workOn(socket: Socket): Set<Work> {
  const known = bySocket.get(socket)
  if (known) return known
  const unanswered = new Set<Work>()
  bySocket.set(socket, unanswered)
  // Pipelined requests without an answer have no other event for their end.
  socket.once('close', () => {
    for (const work of unanswered) end(work)
  })
  return unanswered
}

function end(work: Work) {
  work.isOver = true
  pause(work)
}

function pause(work: Work) {
  work.isAtWork = false
  for (const stop of work.ends.splice(0)) stop()
}
