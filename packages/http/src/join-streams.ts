import type { Duplex } from "node:stream";

/**
 * Joins two byte streams both ways. The end of one side ends the other after its last byte; an
 * error, or a side that is destroyed, destroys the other.
 */
export function joinStreams(left: Duplex, right: Duplex): void {
  // What a side that has ended still receives is for the other one to decide.
  left.allowHalfOpen = true;
  right.allowHalfOpen = true;
  follow(left, right);
  follow(right, left);
  left.pipe(right);
  right.pipe(left);
}

function follow(leader: Duplex, follower: Duplex): void {
  leader.on("error", () => follower.destroy());
  leader.once("close", () => {
    if (!leader.readableEnded) follower.destroy();
    // What the leader sent last may still wait to be written.
    else if (follower.writableFinished) follower.destroy();
    else follower.end(() => follower.destroy());
  });
}
