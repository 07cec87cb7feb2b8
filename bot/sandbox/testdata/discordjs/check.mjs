// Holds the sandbox to a library that was not written for it. Needs SANDBOX_BINARY, a built kraal. All checks share one
// bot in one world; each leaves behind what the others need.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  ApplicationCommandType, ChannelType, ComponentType, EmbedBuilder, MessageFlags, PermissionFlagsBits, Routes,
} from 'discord.js';
import { cities, globalCommands, guildCommands, makeBot, picture } from './bot.mjs';
import { heard, kinds, refused } from './expect.mjs';
import { Sandbox } from './sandbox.mjs';

let sandbox, bot, guild, channel, quiet, naledi, thabo;
const failures = [];

// here adds who acts, and where, to what they do.
const here = (what) => ({ as: naledi, channel: channel.id, ...what });
const slash = (command, options = {}, more = {}) => sandbox.act('slash', here({ command, options, ...more }));
const seen = (id) => sandbox.look('message', { as: naledi, message: id });

before(async () => {
  assert.ok(process.env.SANDBOX_BINARY, 'SANDBOX_BINARY names no program');
  sandbox = await Sandbox.start(process.env.SANDBOX_BINARY);
  naledi = sandbox.person('naledi');
  thabo = sandbox.person('thabo');
  bot = makeBot(sandbox);
  bot.on('failed', (err) => failures.push(err));
  bot.on('error', (err) => failures.push(err));
  const ready = heard(bot, 'clientReady');
  await bot.login(sandbox.token);
  await ready;
  guild = bot.guilds.cache.first();
  [channel, quiet] = guild.channels.cache.values();
  await bot.application.commands.set(globalCommands);
  await guild.commands.set(guildCommands);
});

after(async () => {
  await bot?.destroy();
  await sandbox?.stop();
});

test('connects, and knows what it was told', async () => {
  assert.equal(bot.user.id, sandbox.world.bot.id);
  assert.equal(bot.application.id, sandbox.world.bot.id);
  assert.equal(bot.guilds.cache.size, sandbox.world.servers.length);
  for (const told of sandbox.world.servers) {
    const g = bot.guilds.cache.get(told.id);
    assert.equal(g.name, told.name);
    assert.equal(g.available, true);
    assert.equal(g.ownerId, told.owner);
    assert.equal(g.memberCount, told.members.length + 1);
    assert.deepEqual([...g.channels.cache.keys()], told.channels.map((c) => c.id));
    assert.equal(g.roles.everyone.name, '@everyone');
    assert.equal(g.members.me.id, bot.user.id);
    for (const c of g.channels.cache.values()) {
      assert.equal(c.type, ChannelType.GuildText);
      assert.ok(c.permissionsFor(bot.user).has(PermissionFlagsBits.SendMessages), c.name);
    }
  }
});

test('registers commands', async () => {
  const everywhere = await bot.application.commands.fetch();
  assert.deepEqual(everywhere.map((c) => c.name).sort(), globalCommands.map((c) => c.name).sort());
  const picture = everywhere.find((c) => c.name === 'picture');
  assert.deepEqual(picture.options[0].choices.map((c) => c.value), ['s', 'l']);
  assert.equal(everywhere.find((c) => c.name === 'city').options[0].autocomplete, true);
  const local = await guild.commands.fetch();
  assert.equal(local.find((c) => c.name === 'Quote').type, ApplicationCommandType.Message);
  assert.equal(local.find((c) => c.name === 'table').options[1].options[0].name, 'give');
  const offered = await sandbox.look('commands', { channel: channel.id });
  assert.equal(offered.commands.length, globalCommands.length + guildCommands.length);
  const made = await guild.commands.create({ name: 'brief', description: 'x' });
  assert.equal((await made.edit({ description: 'y' })).description, 'y');
  await made.delete();
  assert.equal((await guild.commands.fetch()).size, guildCommands.length);
});

test('answers with a picture, to all and to one', async () => {
  for (const alone of [false, true]) {
    const { message, type } = await slash('picture', { size: 'l', private: alone });
    assert.equal(type, 4);
    assert.equal(message.content, 'size l');
    assert.equal(message.ephemeral, alone);
    assert.equal(message.attachments[0].description, 'one green point');
    assert.equal(message.attachments[0].content_type, 'image/png');
  }
  await assert.rejects(slash('picture', { size: 'xxl' }), /no choice/);
});

test('defers, edits and follows up', async () => {
  const followUp = heard(bot, 'messageCreate', (m) => m.content === 'and this for you alone');
  const reply = await slash('slow');
  assert.equal(reply.type, 5);
  const [more] = await followUp;
  assert.equal((await seen(reply.message.id)).content, 'done for Naledi');
  assert.equal((await seen(more.id)).ephemeral, true);
  await assert.rejects(sandbox.look('message', { as: thabo, message: more.id }));
});

test('shows the newer layout, and its buttons update it', async () => {
  const { message } = await slash('panel');
  assert.ok(message.flags & MessageFlags.IsComponentsV2);
  assert.deepEqual(new Set(kinds(message.components)), new Set([
    ComponentType.TextDisplay, ComponentType.Container, ComponentType.Section, ComponentType.Button,
    ComponentType.Separator, ComponentType.MediaGallery, ComponentType.ActionRow,
  ]));
  for (const n of [1, 2]) {
    const pressed = await sandbox.act('press', { as: thabo, message: message.id, control: `Pressed ${n - 1}` });
    assert.equal(pressed.type, 7);
    assert.equal(pressed.message.controls.find((c) => c.custom_id?.startsWith('count')).label, `Pressed ${n}`);
    assert.equal(pressed.message.attachments.length, 1);
  }
  const said = (m) => m.components[1].components[0].components[0].content;
  const edited = heard(bot, 'messageUpdate', (_, m) => m.id === message.id && said(m) === 'pressed 0 times');
  assert.equal((await sandbox.act('press', { as: naledi, message: message.id, control: 'Reset' })).type, 6);
  const [, now] = await edited;
  assert.match(now.components[1].components[2].items[0].media.url, /^http.*dot\.png$/);
  await assert.rejects(sandbox.act('press', { as: naledi, message: message.id, control: 'Rules' }), /link/);
});

test('waits for a press, and takes its answer away', async () => {
  const { message } = await slash('once');
  const gone = heard(bot, 'messageDelete', (m) => m.id === message.id);
  assert.equal((await sandbox.act('press', { as: naledi, message: message.id, control: 'once:0' })).type, 6);
  await gone;
  await assert.rejects(seen(message.id));
});

test('reads menus of texts, people and channels', async () => {
  const { message } = await slash('menus');
  const choose = (control, ...values) => sandbox.act('select', { as: naledi, message: message.id, control, values });
  assert.equal((await choose('whom', thabo)).message.content, 'chose Thabo');
  assert.equal((await choose('where', channel.id)).message.content, `chose ${channel.name}`);
  const { message: updated } = await choose('colour', 'b', 'w');
  assert.equal(updated.id, message.id);
  assert.equal(updated.content, 'colours b w');
});

test('shows a form and reads it', async () => {
  const shown = await slash('form');
  assert.equal(shown.type, 9);
  assert.equal(shown.form.title, 'A form');
  const send = (fields) => sandbox.act('submit', { as: naledi, interaction: shown.interaction, fields });
  await assert.rejects(send({ name: 'x'.repeat(21), colour: 'w' }), /does not fit/);
  assert.equal((await send({ name: 'Sam', colour: 'w' })).message.content, 'Sam plays w');
});

test('suggests while somebody types', async () => {
  const typed = async (text) => {
    const what = { command: 'city', options: { name: text }, focused: 'name' };
    const { choices } = await sandbox.act('complete', here(what));
    return choices.map((c) => c.name);
  };
  assert.deepEqual(await typed(''), cities);
  assert.deepEqual(await typed('g'), ['Gaborone', 'Ghanzi']);
  assert.deepEqual(await typed('gh'), ['Ghanzi']);
  assert.deepEqual(await typed('x'), []);
});

test('understands sub-commands and menus of people and messages', async () => {
  const opened = await slash('table open', { stake: 1.5, where: quiet.id });
  assert.equal(opened.message.content, `open for 1.5 in ${quiet.name}`);
  assert.equal((await slash('table seat give', { to: thabo })).message.content, 'seat for Thabo');
  const wave = await sandbox.act('menu', here({ command: 'Wave at', target: thabo }));
  assert.equal(wave.message.content, 'Naledi waves at Thabo');
  const { message } = await sandbox.act('say', { as: thabo, channel: channel.id, content: 'good morning' });
  const quote = await sandbox.act('menu', { as: naledi, command: 'Quote', message });
  assert.equal(quote.message.content, 'Thabo said: good morning');
});

test('writes, edits, fetches and deletes', async () => {
  const message = await channel.send({ content: `hello <@${thabo}>`, nonce: 'once', enforceNonce: true });
  assert.equal(message.author.id, bot.user.id);
  assert.equal(message.mentions.members.first().displayName, 'Thabo');
  assert.equal((await channel.send({ content: 'again', nonce: 'once', enforceNonce: true })).id, message.id);
  const answer = await message.reply('to myself');
  assert.equal((await answer.fetchReference()).id, message.id);
  const edited = await message.edit('bye');
  assert.equal(edited.content, 'bye');
  assert.ok(edited.editedTimestamp);
  channel.messages.cache.clear();
  assert.equal((await channel.messages.fetch(message.id)).content, 'bye');
  assert.deepEqual([...(await channel.messages.fetch({ limit: 2 })).keys()], [answer.id, message.id]);
  const gone = heard(bot, 'messageDelete', (m) => m.id === answer.id);
  await answer.delete();
  await gone;
  await refused(channel.messages.fetch({ message: answer.id, force: true }), 10008, 404);
});

test('writes embeds with pictures', async () => {
  await channel.sendTyping();
  const embed = new EmbedBuilder().setTitle('A dot').setImage('attachment://dot.png');
  const message = await channel.send({ embeds: [embed], files: [picture()] });
  assert.equal(message.embeds[0].title, 'A dot');
  const shown = await fetch(message.embeds[0].image.url);
  assert.deepEqual(Buffer.from(await shown.arrayBuffer()), picture().attachment);
  assert.equal((await message.edit({ embeds: [], content: 'no more', files: [], attachments: [] })).embeds.length, 0);
});

test('fetches channels, guilds, roles and members', async () => {
  assert.equal((await bot.channels.fetch(channel.id, { force: true })).name, channel.name);
  assert.equal((await guild.channels.fetch()).size, guild.channels.cache.size);
  assert.equal((await bot.guilds.fetch({ guild: guild.id, force: true })).name, guild.name);
  assert.equal((await guild.roles.fetch()).size, 1);
  assert.equal((await guild.members.fetch({ user: thabo, force: true })).displayName, 'Thabo');
  assert.deepEqual([...(await guild.members.fetch({ user: [naledi, thabo] })).keys()], [naledi, thabo]);
  assert.deepEqual([...(await guild.members.fetch({ query: 'tha' })).keys()], [thabo]);
  assert.equal((await bot.users.fetch(naledi, { force: true })).username, 'naledi');
  assert.equal((await bot.application.fetch()).name, bot.user.displayName);
  await refused(guild.members.fetch({ user: sandbox.person('amara'), force: true }), 10007, 404);
});

test('starts a thread from a message, writes there and archives it', async () => {
  const message = await channel.send('talk about it');
  const told = heard(bot, 'messageUpdate', (_, m) => m.id === message.id);
  const thread = await message.startThread({ name: 'talk', autoArchiveDuration: 60 });
  await told;
  assert.equal(thread.id, message.id);
  assert.equal(thread.parentId, channel.id);
  assert.ok(message.hasThread);
  await thread.send('first');
  await message.edit('talked about'); // with all the flags that it has now
  const archived = heard(bot, 'threadUpdate', (_, t) => t.id === thread.id && t.archived);
  await thread.setArchived(true);
  await archived;
  assert.equal((await bot.channels.fetch(thread.id, { force: true })).archived, true);
  await refused(thread.setName('talks'), 50083, 400);
  const again = Routes.threads(channel.id, message.id); // which the library itself refuses, knowing of the thread
  await refused(bot.rest.post(again, { body: { name: 'once more' } }), 160004, 400);
});

test('writes to one person', async () => {
  const user = await bot.users.fetch(thabo);
  const sent = await user.send('psst');
  assert.equal(sent.channel.type, ChannelType.DM);
  assert.equal(sent.channel.recipientId, thabo);
  const answered = heard(bot, 'messageCreate', (m) => m.author.id === thabo);
  await sandbox.act('say', { as: thabo, channel: sent.channel.id, content: 'what?' });
  const [answer] = await answered;
  assert.equal(answer.content, 'what?');
  const { message } = await slash('picture', { size: 's' }, { as: thabo, channel: sent.channel.id });
  assert.equal(message.content, 'size s');
});

test('hears what is said, and reads what is for it to read', async () => {
  for (const [content, want] of [['good morning', ''], [`hello <@${bot.user.id}>`, `hello <@${bot.user.id}>`]]) {
    const told = heard(bot, 'messageCreate', (m) => m.author.id === naledi);
    const { message } = await sandbox.act('say', here({ content }));
    const [m] = await told;
    assert.equal(m.id, message);
    assert.equal(m.content, want);
    assert.equal(m.guildId, guild.id);
    assert.equal(m.member.displayName, 'Naledi');
    const gone = heard(bot, 'messageDelete', (d) => d.id === message);
    await sandbox.trouble('delete-message', { message });
    await gone;
  }
});

test('is refused what it may not do, and knows it', async () => {
  const had = channel.permissionsFor(bot.user).remove(PermissionFlagsBits.UseApplicationCommands).bitfield;
  const told = heard(bot, 'channelUpdate');
  await sandbox.trouble('permissions', { channel: channel.id, permissions: `${PermissionFlagsBits.ViewChannel}` });
  await told;
  assert.equal(channel.permissionsFor(bot.user).has(PermissionFlagsBits.SendMessages), false);
  await refused(channel.send('x'), 50013, 403);
  await sandbox.trouble('permissions', { channel: channel.id, permissions: '0' });
  await refused(channel.send('x'), 50001, 403);
  await sandbox.trouble('permissions', { channel: channel.id, permissions: `${had}` });
  await channel.send('back again');
});

test('waits where it is too fast', async () => {
  const limited = heard(bot.rest, 'rateLimited');
  const sent = await Promise.all(Array.from({ length: 8 }, (_, i) => channel.send(`number ${i}`)));
  await limited;
  assert.equal(new Set(sent.map((m) => m.id)).size, 8);
  await sandbox.trouble('fail', { method: 'POST', path: `/channels/${quiet.id}/messages`, status: 429, count: 1 });
  const asked = (await sandbox.look('requests')).requests.length;
  assert.equal((await quiet.send('at last')).content, 'at last');
  const since = (await sandbox.look('requests', { from: asked })).requests.map((r) => r.status);
  assert.deepEqual(since, [429, 200]);
});

// A message that somebody writes while the bot is away reaches it when it is back.
async function comesBack(trouble, event) {
  const session = heard(bot, event);
  await sandbox.trouble(...trouble);
  const missed = heard(bot, 'messageCreate', (m) => m.author.id === thabo);
  const { message } = await sandbox.act('say', { as: thabo, channel: channel.id, content: 'are you there?' });
  const [[told]] = await Promise.all([missed, session]);
  assert.equal(told.id, message);
  assert.equal((await slash('picture', { size: 's' })).failed, false);
}

test('resumes when its connection breaks', () => comesBack(['drop'], 'shardResume'));
test('resumes when the server closes with 4000', () => comesBack(['close', { code: 4000 }], 'shardResume'));
test('resumes when it is told to reconnect', () => comesBack(['reconnect'], 'shardResume'));
test('resumes when its session is invalid for a while', () => (
  comesBack(['invalid-session', { resumable: true }], 'shardResume')
));

test('begins anew when its session is gone', async () => {
  const ready = heard(bot, 'shardReady');
  await sandbox.trouble('invalid-session', { resumable: false });
  await ready;
  assert.equal((await slash('picture', { size: 's' })).failed, false);
});

test('comes and goes with the servers that it is in', async () => {
  const left = heard(bot, 'guildDelete');
  await sandbox.trouble('kick', { server: guild.id });
  await left;
  assert.equal(bot.guilds.cache.has(guild.id), false);
  const joined = heard(bot, 'guildCreate');
  await sandbox.trouble('invite', { server: guild.id });
  await joined;
  assert.equal(bot.guilds.cache.get(guild.id).channels.cache.size, sandbox.world.servers[0].channels.length);
});

// begin starts the bot anew, and tells whether it was made to wait first.
async function begin() {
  await bot.destroy();
  let refused = false;
  bot = makeBot(sandbox);
  bot.on('failed', (err) => failures.push(err));
  bot.on('debug', (line) => { refused ||= line.includes('Invalid session'); });
  const ready = heard(bot, 'clientReady');
  await bot.login(sandbox.token);
  await ready;
  return refused;
}

test('waits its turn when it starts twice within five seconds', async () => {
  const waited = await begin() || await begin();
  assert.ok(waited);
  assert.equal((await slash('picture', { size: 's' })).failed, false);
});

test('nothing failed, and nothing broke the rules', async () => {
  assert.deepEqual(failures, []);
  const { violations } = await sandbox.look('violations');
  assert.deepEqual(violations.map((v) => v.why), []);
});
