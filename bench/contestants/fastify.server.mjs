// node fastify.server.mjs CATALOG.db PORT: a plain service on the same database. It checks no token.
import Database from "better-sqlite3";
import Fastify from "fastify";

const [, , path, port] = process.argv;
const db = new Database(path, { readonly: true });
const app = Fastify({ routerOptions: { maxParamLength: 20_000 } });

const from = "FROM record JOIN body USING (id)";
const one = db.prepare(`SELECT body ${from} WHERE isbn = ?`);
const imprint = db.prepare(`SELECT body ${from} WHERE imprint = ? ORDER BY isbn`);
const news = db.prepare(`SELECT body ${from} WHERE published BETWEEN ? AND ? ORDER BY published DESC, isbn`);
const skus = db.prepare("SELECT isbn FROM record ORDER BY isbn");
const read = ({ body }) => JSON.parse(body.toString());

app.get("/api/ready", () => ({ ready: true }));
app.get("/api/isbn/:isbn", ({ params }, reply) => {
  const row = one.get(Number(params.isbn));
  return row ? read(row) : reply.code(404).send({ message: "Book not found" });
});
app.get("/api/isbns/:isbns", ({ params }) =>
  params.isbns.split(",").map((isbn) => read(one.get(Number(isbn)))),
);
app.get("/api/imprint/:imprint", ({ params }) => imprint.all(params.imprint).map(read));
app.get("/api/skus", () => skus.all().map(({ isbn }) => String(isbn)));
app.get("/api/news", () => {
  const day = (ago) =>
    Number(new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10).replaceAll("-", ""));
  return news.all(day(90), day(0)).map(read);
});

await app.listen({ host: "127.0.0.1", port: Number(port) });
