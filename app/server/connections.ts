/**
 * The connections of the local server: how many it holds, and in which order their requests are answered. Nobody without the
 * page's key can keep the owner out: if no place is free, the oldest connection that has not shown the key makes room.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A browser opens six at once for a page. */
const MOST_CONNECTIONS = 64;
/** Requests that one connection may send ahead. Browsers send none over HTTP/1.1. */
const MOST_WAITING = 16;

interface Connection {
  /** Whether one of its requests had the key. */
  isTrusted: boolean;
  waiting: number;
  last: Promise<void>;
}

export interface Connections {
  /** Records that a request of this connection had the key. */
  trust(socket: Socket): void;
  /**
   * Answers the requests of a connection one at a time: a client that sends many requests and reads nothing holds one open file,
   * not one for each request. A connection with too many waiting requests is closed.
   *
   * @param answer must not reject
   */
  inTurn(socket: Socket, answer: () => Promise<void>): void;
}

/** Bounds the connections of a server that does not listen yet. */
export function boundConnections(server: Server): Connections {
  /** In the order in which they came. */
  const connections = new Map<Socket, Connection>();
  const stranger = (): Socket | undefined => {
    for (const [socket, { isTrusted }] of connections) if (!isTrusted) return socket;
    return undefined;
  };
  server.on('connection', (socket: Socket) => {
    if (connections.size >= MOST_CONNECTIONS) {
      const leaving = stranger() ?? socket;
      connections.delete(leaving);
      leaving.destroy();
      if (leaving === socket) return;
    }
    connections.set(socket, { isTrusted: false, waiting: 0, last: Promise.resolve() });
    socket.once('close', () => connections.delete(socket));
  });
  return {
    trust(socket) {
      const connection = connections.get(socket);
      if (connection) connection.isTrusted = true;
    },
    inTurn(socket, answer) {
      const connection = connections.get(socket);
      if (connection === undefined || connection.waiting === MOST_WAITING) {
        socket.destroy();
        return;
      }
      connection.waiting += 1;
      connection.last = connection.last.then(async () => {
        if (!socket.destroyed) await answer();
        connection.waiting -= 1;
      });
    },
  };
}
