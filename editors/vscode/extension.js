// Starts `cardwright lsp`, which knows all there is to know. Nothing of the language stands here.

const path = require("path");
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function program() {
  return workspace.getConfiguration("cardwright").get("path") || "cardwright";
}

async function start() {
  const server = { command: program(), args: ["lsp"] };
  const files = workspace.createFileSystemWatcher("**/*.{rules,cards,csv,scenario,rhai,toml,md}");
  client = new LanguageClient("cardwright", "Cardwright", server, {
    documentSelector: [
      { scheme: "file", language: "cardwright" },
      { scheme: "file", pattern: "**/game.toml" },
      { scheme: "file", pattern: "**/locales/*.toml" },
    ],
    synchronize: { fileEvents: files },
  });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`Cardwright: cannot run "${program()}": ${error.message}. Set "cardwright.path".`);
  }
}

// The folder of the package that a file lies in: scenarios stand one folder below the manifest, or beside it.
async function packageOf(file) {
  const fs = require("fs");
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, "game.toml"))) return folder;
  }
  return path.dirname(file);
}

// The program gets its arguments as they are: no shell reads what a title says.
async function run(args, taken) {
  await workspace.saveAll(false);
  window.createTerminal({ name: "Cardwright", shellPath: program(), shellArgs: args }).show(taken);
}

async function runScenario(file, title) {
  await run(["test", await packageOf(file), "--only", title], true);
}

// Whoever plays types in the terminal.
async function playFromHere(file, title) {
  await run(["play", file, "--scenario", title, "--watch"], false);
}

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("cardwright.runScenario", runScenario),
    commands.registerCommand("cardwright.playFromHere", playFromHere),
    commands.registerCommand("cardwright.restart", async () => {
      if (client) await client.stop().catch(() => {});
      await start();
    }),
  );
  await start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
