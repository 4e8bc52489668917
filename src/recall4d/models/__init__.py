"""Chat models: implementations of the `ChatModel` port."""
