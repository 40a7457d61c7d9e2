module.exports = { activate: () => undefined };
