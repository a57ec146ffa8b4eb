/** Preloaded into child processes, so that they end with their parent even if SIGKILL ended it. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.channel?.unref()
