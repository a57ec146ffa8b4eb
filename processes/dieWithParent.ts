/** Preloaded into children that must not outlive their parent, even one ended by SIGKILL. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.channel?.unref()
