//! A scripted model API on loopback: Anthropic Messages and OpenAI Responses for tests and the demo.
