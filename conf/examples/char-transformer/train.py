"""Trains a small transformer to predict the next character of text files; `python train.py FILE...` needs no cluster."""

import argparse
import math

import torch
from torch import nn

import optimus_yarn as optimus

CONTEXT = 64


class Windows(torch.utils.data.Dataset):
    """Windows of CONTEXT characters, and the characters that follow each of them."""

    def __init__(self, text):
        self.text = text

    def __len__(self):
        return (len(self.text) - 1) // CONTEXT

    def __getitem__(self, i):
        window = self.text[i * CONTEXT : (i + 1) * CONTEXT + 1]
        return window[:-1], window[1:]


class Transformer(nn.Module):
    def __init__(self, characters, width=64, heads=4, layers=2):
        super().__init__()
        self.characters = nn.Embedding(characters, width)
        self.positions = nn.Embedding(CONTEXT, width)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout=0.1, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.scores = nn.Linear(width, characters)
        # Not trained and not in state_dict(): the characters that come later are hidden.
        self.register_buffer("hidden", torch.ones(CONTEXT, CONTEXT).triu(1).bool(), persistent=False)

    def forward(self, x):
        return self.scores(self.layers(self.characters(x) + self.positions.weight, self.hidden))


def loss_of(model, x, y):
    return nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())


def mean_loss(model, windows, device):
    model.eval()
    with torch.no_grad():
        loader = torch.utils.data.DataLoader(windows, batch_size=64)
        losses = [loss_of(model, x.to(device), y.to(device)).item() for x, y in loader]
    model.train()
    return sum(losses) / len(losses)


options = argparse.ArgumentParser()
options.add_argument("--epochs", type=int, default=20)
options.add_argument("text", nargs="+")
options = options.parse_args()

job = optimus.init()
text = "".join(open(file, encoding="utf-8").read() for file in options.text)
alphabet = {character: number for number, character in enumerate(sorted(set(text)))}
text = torch.tensor([alphabet[character] for character in text])
held_out = len(text) // 10
loader = torch.utils.data.DataLoader(Windows(text[:-held_out]), batch_size=16, shuffle=True)
model = Transformer(len(alphabet)).to(job.device)
opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
steps, warm_up = options.epochs * len(loader), 100
schedule = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda step: min((step + 1) / warm_up, 0.5 + 0.5 * math.cos(math.pi * min(step / steps, 1)))
)
model, opt, loader, schedule = job.prepare(model, opt, loader, schedule)
for epoch in job.epochs(options.epochs):
    for x, y in loader:
        x, y = x.to(job.device), y.to(job.device)
        job.backward(loss_of(model, x, y))
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        schedule.step()
        opt.zero_grad()
    job.report(held_out_loss=mean_loss(model, Windows(text[-held_out:]), job.device))
